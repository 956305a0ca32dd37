import type { Attempt } from '../../../domain/attempt.ts'
import type { Order } from '../../../domain/order.ts'
import type { IncomingPayment } from '../../../domain/payment.ts'
import { type UnmatchedPayment, type UnmatchedReason, unmatchedReason } from '../../../domain/settlement.ts'
import type { Tables } from '../../../storage/port.ts'
import type { Context } from '../../context.ts'
import { notifyMerchant } from '../../merchants/steps/notify.ts'
import { sumText } from './sum-text.ts'
import { loadValues } from './value-payments.ts'

const sentences: Record<UnmatchedReason, string> = {
  wrong_asset: 'A payment arrived in a different asset than the order asked for',
  underpaid: 'A payment arrived that is too small for its order',
  late: 'A payment arrived after its locked amount had expired, and did not pay its order',
  second_payment: 'A payment arrived for an order that is already paid',
  order_closed: 'A payment arrived for an order that can no longer be paid',
  too_late: 'A payment arrived too late to be matched with its order',
}

type UnmatchedContext = Pick<Context, 'ids' | 'clock' | 'networks'>

/** Records every final payment that settles nothing, once, and notifies the merchant. */
export async function recordUnmatched(
  context: UnmatchedContext,
  tables: Tables,
  order: Order,
  attempt: Attempt,
  incomingPayments: IncomingPayment[],
): Promise<void> {
  const now = context.clock()
  const reasons = incomingPayments.flatMap(incoming => {
    const reason = unmatchedReason(incoming, attempt, order)
    return reason === null ? [] : [{ incoming, reason }]
  })
  if (reasons.length === 0) return
  const known = await tables.unmatched.knownPayments(attempt.id)
  const added = reasons.filter(({ incoming }) => !known.includes(incoming.id))
  if (added.length === 0) return
  const valued = await loadValues(context, tables, order, attempt, incomingPayments)
  for (const { incoming, reason } of added) {
    const unmatched: UnmatchedPayment = {
      id: context.ids.uuid(),
      merchantId: order.merchantId,
      orderId: order.id,
      attemptId: attempt.id,
      incomingPaymentId: incoming.id,
      reason,
      status: 'open',
      ...valued(incoming),
      note: null,
      decidedBy: null,
      createdAt: now,
      updatedAt: now,
    }
    await tables.unmatched.insert(unmatched)
    if (incoming.assetId === attempt.assetId) {
      await tables.unmatched.setShortfall(attempt.id, incoming.assetId, unmatched.shortfall, now)
    }
    await notifyMerchant(
      context,
      tables,
      order,
      'unmatched_payment',
      textOf(context, order, attempt, incoming, unmatched),
    )
  }
}

/** An order that is paid or closed stays so, whatever arrives. */
function adviceFor({ status }: Order, { id, value }: UnmatchedPayment): string {
  if (status !== 'UNPAID' && status !== 'EXPIRED') return 'Decide whether to return it to the buyer.'
  if (value === null) return 'Return it to the buyer, or mark the order as paid with florin order force.'
  return `To accept it as payment: florin unmatched accept ${id} --by NAME. Otherwise return it to the buyer.`
}

/** What arrived, what it was worth, what is missing and what to do. */
function textOf(
  context: Pick<Context, 'networks'>,
  order: Order,
  attempt: Attempt,
  { assetId, amountAtomic }: IncomingPayment,
  unmatched: UnmatchedPayment,
): string {
  const { reason, value, shortfall } = unmatched
  const { currency, amount } = order
  const decimals = assetId === attempt.assetId ? attempt.decimals : context.networks.asset(assetId)?.decimals
  const sum =
    decimals === undefined
      ? `${amountAtomic} base units of ${assetId}`
      : sumText(context, amountAtomic, { assetId, decimals })
  const worth = value === null ? '' : `, worth ${value} ${currency}`
  const missing = shortfall === null ? '' : ` ${shortfall} of ${amount} ${currency} is missing.`
  return `${sentences[reason]}: ${sum}${worth}.${missing} ${adviceFor(order, unmatched)}`
}

/**
 * Records the payments of all attempts of an order that has just been closed: nobody may look at its other
 * attempts for hours.
 */
export async function recordUnmatchedOfOrder(
  context: UnmatchedContext,
  tables: Tables,
  order: Order,
): Promise<void> {
  for (const attempt of await tables.attempts.listOf(order.id)) {
    await recordUnmatched(context, tables, order, attempt, await tables.incomingPayments.listOf(attempt.id))
  }
}

/**
 * Nothing reverses a settlement by itself: a payment that left its chain is reported to a person, and so is
 * its return.
 */
export async function reportReorganised(
  context: Pick<Context, 'ids' | 'clock' | 'log'>,
  tables: Tables,
  attempt: Attempt,
  { txId }: IncomingPayment,
  isBack = false,
): Promise<void> {
  const found = await tables.orders.find(attempt.orderId)
  if (!found) return
  const about = { orderUUID: attempt.orderId, txId }
  if (isBack) context.log.warn(about, 'payment.returned')
  else context.log.error(about, 'payment.reorganised')
  const text = isBack
    ? `A payment is back on its chain: ${txId} pays this order again.`
    : `A payment left its chain: ${txId} no longer pays this order. Check before you ship.`
  await notifyMerchant(context, tables, found.order, 'payment_reorganised', text)
}
