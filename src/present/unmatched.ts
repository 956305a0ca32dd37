import type { UnmatchedModel } from '../../views/dashboard/unmatched.ts'
import { asserted } from '../domain/errors.ts'
import { fiatCurrency } from '../domain/fiat.ts'
import { amountOf, fromUnitsShort } from '../domain/money.ts'
import type { SkippedPayment } from '../domain/skipped-payment.ts'
import type { OrderHistory } from '../operations/orders/inspect.ts'
import type { BrowsedPayment } from '../operations/payments/browse-unmatched.ts'
import { presentTransactionLink } from './explorer.ts'
import { byName, evidenceText, type TimelineContext, withTicker } from './order-timeline.ts'
import { amountIn } from './payment-amounts.ts'

type Incoming = OrderHistory['unmatched'][number]['incoming']

interface UnmatchedContext extends TimelineContext {
  now: number
  mayAccept: boolean
  mayResolve: boolean
  maySendBack: boolean
  /** true if the payment's provider pays money back when Florin asks */
  canSendBack(incoming: Incoming): boolean
}

const evidenceOf = (incoming: Incoming): string => {
  const { source, state, txId, txIndex, txIn, txOut, assetId, amountAtomic, confirmations, height } = incoming
  const chain = { source, state, txId, txIndex, txIn, txOut, confirmations, height }
  return evidenceText({ ...chain, assetId, amountAtomic: amountAtomic.toString() })
}

const takenBackOf = ({ left, incoming }: BrowsedPayment): 'part' | 'whole' | null =>
  left < incoming.amountAtomic ? (left > 0n ? 'part' : 'whole') : null

/** An unmatched payment in the inbox. */
export function unmatchedRow(context: UnmatchedContext, row: BrowsedPayment): UnmatchedModel['rows'][number] {
  const { payment, incoming, left, asked, currency, orderStatus, externalId, refundAddress } = row
  const isOpen = payment.status === 'open'
  const isGone = incoming.state === 'gone'
  const isCard = context.canSendBack(incoming)
  const isPayable = orderStatus === 'UNPAID' || orderStatus === 'EXPIRED'
  const inFiat = (amount: string | null) => amount && context.locale.money({ amount, currency })
  const { decidedBy, note, updatedAt } = payment
  return {
    id: payment.id,
    orderId: payment.orderId,
    orderName: externalId ?? payment.orderId,
    at: payment.createdAt,
    age: Math.max(0, context.now - payment.createdAt),
    amount: withTicker(context, amountIn(context, asked, incoming), incoming.assetId),
    value: inFiat(payment.value),
    shortfall: inFiat(payment.shortfall),
    reason: payment.reason,
    status: payment.status,
    transaction: presentTransactionLink(incoming, context),
    refundAddress,
    evidence: evidenceOf(incoming),
    decision: isOpen ? null : { by: decidedBy && byName(context, decidedBy), at: updatedAt, note },
    mayAccept: context.mayAccept && isOpen && isPayable && !isGone && left > 0n,
    mayResolve: context.mayResolve && isOpen,
    isCard,
    takenBack: isOpen ? (isGone ? 'gone' : takenBackOf(row)) : null,
    sendBack: context.maySendBack && isOpen && isCard && left > 0n ? leftText(context, row) : null,
  }
}

/** What is left of a payment in a currency. */
function leftText({ locale }: UnmatchedContext, { incoming, left }: BrowsedPayment): string {
  const currency = asserted(
    fiatCurrency(incoming.assetId),
    'a provider sends back what it took in a currency',
  )
  return locale.money({ amount: amountOf(left, currency), currency })
}

/** Money at an address that a restore skipped, for the inbox of unmatched payments. */
export function skippedRow(
  context: UnmatchedContext,
  payment: SkippedPayment,
): UnmatchedModel['skipped'][number] {
  const { id, address, amountAtomic, assetId, decimals, decidedBy, note, status, createdAt, updatedAt } =
    payment
  const isOpen = status === 'open'
  return {
    id,
    at: createdAt,
    amount: withTicker(context, fromUnitsShort(amountAtomic, decimals), assetId),
    address,
    status,
    decision: isOpen ? null : { by: decidedBy && byName(context, decidedBy), at: updatedAt, note },
    mayResolve: context.mayResolve && isOpen,
  }
}
