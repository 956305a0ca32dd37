import type { Attempt } from '../../domain/attempt.ts'
import { arrived } from '../../domain/coverage.ts'
import { assert, invalid, Refusal } from '../../domain/errors.ts'
import { receivedSum } from '../../domain/fiat.ts'
import { amountOf, minorOf } from '../../domain/money.ts'
import type { Order } from '../../domain/order.ts'
import type { IncomingPayment } from '../../domain/payment.ts'
import { sumsOf, type UnmatchedPayment } from '../../domain/settlement.ts'
import type { Transaction } from '../../domain/transaction.ts'
import type { Tables } from '../../storage/port.ts'
import type { Context } from '../context.ts'
import { type AuditContext, recordAudit } from '../merchants/steps/record-audit.ts'
import { canTransition, requireOrder } from '../orders/steps/transition.ts'
import type { OrderView } from '../orders/view.ts'
import { recordPaymentPaid } from '../webhooks/steps/record-event.ts'
import { payOrder } from './steps/pay-order.ts'
import { recordUnmatchedOfOrder } from './steps/record-unmatched.ts'

const BY_MAX = 128
const REASON_MAX = 500

interface Acceptance {
  by: string
  reason: string | null
}

/** An unmatched payment with the incoming payment and the attempt that it belongs to. */
interface Accepted {
  payment: UnmatchedPayment
  incoming: IncomingPayment
  attempt: Attempt
}

type AcceptContext = AuditContext & Pick<Context, 'storage' | 'networks'>

/** Pays an order with unmatched payments of it, because its merchant is content with them. */
export async function acceptUnmatched(
  context: AcceptContext,
  merchantId: string,
  ids: string[],
  acceptance: Acceptance,
): Promise<OrderView> {
  const by = acceptance.by.trim()
  const reason = acceptance.reason?.trim() || null
  if (by === '' || by.length > BY_MAX) throw invalid('by', `must have 1 to ${BY_MAX} characters`)
  if (reason !== null && reason.length > REASON_MAX) {
    throw invalid('reason', `must have at most ${REASON_MAX} characters`)
  }
  return context.storage.write(async tables => {
    const accepted: Accepted[] = []
    for (const id of new Set(ids)) accepted.push(await loadOpen(tables, merchantId, id))
    const [first] = accepted
    assert(first, 'at least one payment is accepted')
    const { orderId } = first.payment
    if (accepted.some(({ payment }) => payment.orderId !== orderId)) {
      throw new Refusal('conflict', 'These payments belong to different orders. Accept those of one order.')
    }
    const view = await requireOrder(tables, merchantId, orderId)
    if (!canTransition(view, 'settle')) {
      throw new Refusal(
        'conflict',
        `Only an order that is UNPAID or EXPIRED can be paid. This one is ${view.order.status}.`,
      )
    }
    return accept(context, tables, view, accepted, { by, reason })
  })
}

async function loadOpen(tables: Tables, merchantId: string, id: string): Promise<Accepted> {
  const payment = await tables.unmatched.find(id)
  if (payment?.merchantId !== merchantId) {
    throw new Refusal('not_found', `No unmatched payment has the ID ${id}.`)
  }
  if (payment.status !== 'open') {
    throw new Refusal('conflict', `The unmatched payment ${id} is already ${payment.status}.`)
  }
  const attempt = await tables.attempts.find(payment.attemptId)
  const incomingPayments = await tables.incomingPayments.listOf(payment.attemptId)
  const incoming = incomingPayments.find(one => one.id === payment.incomingPaymentId)
  assert(attempt && incoming, 'an unmatched payment belongs to an attempt')
  if (incoming.state !== 'final') {
    throw new Refusal('conflict', `The payment ${incoming.txId} is no longer on its chain.`)
  }
  return { payment, incoming, attempt }
}

async function accept(
  context: AcceptContext,
  tables: Tables,
  view: OrderView,
  accepted: Accepted[],
  { by, reason }: Acceptance,
): Promise<OrderView> {
  const attempt = accepted[0]!.attempt
  const paid = await payOrder(
    context,
    tables,
    view,
    attempt,
    accepted.map(({ incoming }) => incoming),
    {
      received: receivedOf(context, view.order, accepted),
      verdict: 'accepted',
      rule: `accepted by ${by}${reason === null ? '' : `: ${reason}`}`,
      evidence: evidenceOf(accepted),
    },
  )
  const now = context.clock()
  const decision = { note: reason, decidedBy: by, updatedAt: now }
  for (const { payment } of accepted) await tables.unmatched.accept(payment.id, decision)
  // What else arrived is no part of it.
  const paying = (await tables.incomingPayments.listOf(attempt.id)).filter(({ settles }) => settles)
  await tables.attempts.update(attempt.id, { ...sumsOf(attempt, paying), updatedAt: now })
  const value = valueOfAll(view.order, accepted)
  await recordPaymentPaid(context, tables, paid.order, attempt, {
    late: accepted.some(({ payment }) => payment.reason === 'late' || payment.reason === 'too_late'),
    shortfall: value === null ? null : missing(view.order, value),
    acceptedBy: by,
  })
  await recordUnmatchedOfOrder(context, tables, paid.order)
  await recordAudit(context, tables, {
    merchantId: view.order.merchantId,
    action: 'unmatched.accepted',
    subject: `order:${view.order.id}`,
    before: { status: view.order.status, acceptedBy: null, acceptReason: null, payments: null },
    after: {
      status: paid.order.status,
      acceptedBy: by,
      acceptReason: reason,
      payments: accepted.map(({ payment }) => payment.id),
    },
  })
  return paid
}

/** What was received: coins, or their value where they are of several kinds. */
function receivedOf(
  { networks }: Pick<Context, 'networks'>,
  order: Order,
  accepted: Accepted[],
): Pick<Transaction, 'receivedAmount' | 'receivedCurrency'> {
  const [first] = accepted
  assert(first, 'at least one payment is accepted')
  const { assetId } = first.incoming
  if (accepted.every(({ incoming }) => incoming.assetId === assetId)) {
    const { attempt } = first
    const ofProvider = attempt.provider === null ? 0 : attempt.decimals
    const known = assetId === attempt.assetId ? attempt.decimals : networks.asset(assetId)?.decimals
    return receivedSum(sumOf(accepted), { assetId, decimals: known ?? ofProvider })
  }
  const value = valueOfAll(order, accepted)
  if (value === null) {
    throw new Refusal(
      'conflict',
      'These payments are in different assets, and the value of one is unknown. Accept those in one asset.',
    )
  }
  return { receivedAmount: amountOf(value, order.currency), receivedCurrency: order.currency }
}

/** A provider's status may report the total of its callbacks, so that payments are added by attempt. */
const sumOf = (accepted: Accepted[]): bigint =>
  [...Map.groupBy(accepted, ({ attempt }) => attempt.id).values()]
    .map(group =>
      arrived(
        group[0]!.attempt,
        group.map(({ incoming }) => incoming),
      ),
    )
    .reduce((sum, one) => sum + one, 0n)

/** The value of all payments in minor units; null if one is unknown. */
function valueOfAll({ currency }: Order, accepted: Accepted[]): bigint | null {
  const values = accepted.map(({ payment }) => payment.value)
  if (values.includes(null)) return null
  return values.reduce((sum, value) => sum + minorOf(value ?? '0', currency), 0n)
}

function missing({ amount, currency }: Order, value: bigint): string | null {
  const rest = minorOf(amount, currency) - value
  return rest > 0n ? amountOf(rest, currency) : null
}

const evidenceOf = (accepted: Accepted[]) => ({
  incomingPayments: accepted.map(({ payment, incoming }) => ({
    unmatchedId: payment.id,
    reason: payment.reason,
    value: payment.value,
    source: incoming.source,
    txId: incoming.txId,
    txIndex: incoming.txIndex,
    assetId: incoming.assetId,
    amount: incoming.amountAtomic.toString(),
    confirmations: incoming.confirmations,
    height: incoming.height,
    evidence: incoming.evidence,
  })),
})
