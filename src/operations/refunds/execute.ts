import { assert, invalid, Refusal } from '../../domain/errors.ts'
import { amountOf, isPositive, minorOf, parseAmount, total } from '../../domain/money.ts'
import type { Order } from '../../domain/order.ts'
import { isRefundable } from '../../domain/refund.ts'
import type { Reversal } from '../../domain/reversal.ts'
import type { Tables } from '../../storage/port.ts'
import type { Context } from '../context.ts'
import { requireOrder } from '../orders/steps/require-order.ts'
import { refundingProvider, sendRefund } from './send.ts'
import { findRepeated, type NewRefund, refundIdOf, settlementOf } from './steps/record-in.ts'

/** Delay of the job that sends a refund: before, the request that asked for the refund sends it itself. */
const SENDING_MS = 60_000

/**
 * Pays money back through the provider that took the payment, and records it by the provider's answer. The
 * refund is stored before the provider is asked, so that a crash neither loses it nor pays it twice. A
 * repeated idempotency key returns the first refund as it is now.
 */
export async function executeRefund(context: Context, request: NewRefund): Promise<Reversal> {
  const id = refundIdOf(request)
  const known = await context.storage.write(tables => ask(context, tables, request, id))
  if (known.status === 'asked') {
    const next = await sendRefund(context, id)
    await context.storage.write(async ({ jobs }) => {
      if (next === null) await jobs.remove('refund.send', id)
      else await jobs.schedule({ ...jobOf(known), dueAt: next })
    })
  }
  const sent = await context.storage.read(tables => tables.reversals.find(id))
  assert(sent, 'a refund that was asked for is stored')
  return sent
}

const jobOf = ({ id, provider }: Reversal) => ({
  kind: 'refund.send' as const,
  subject: id,
  lane: `refund:${provider}`,
})

async function ask(context: Context, tables: Tables, request: NewRefund, id: string): Promise<Reversal> {
  const { merchantId, orderId, idempotencyKey, by, body } = request
  const { order } = await requireOrder(tables, merchantId, orderId)
  const known = await tables.reversals.find(id)
  if (known) return repeated(known, order, body)
  if (await findRepeated(tables, request)) throw new Refusal('idempotency_key_reused')
  if (!isRefundable(order)) throw new Refusal('order_not_refundable')
  const { attemptId, ...transaction } = await settlementOf(tables, order)
  const attempt = await tables.attempts.find(attemptId)
  assert(attempt, 'a transaction has an attempt')
  if (attempt.provider === null || !refundingProvider(context.providers, attempt)) {
    throw new Refusal(
      'order_not_refundable',
      'This payment cannot be refunded through a provider. Send the money yourself, and record the refund.',
    )
  }
  const amount = await amountFor(tables, order, { ...transaction, attemptId, asked: body.amount })
  const now = context.clock()
  const reversal: Reversal = {
    ...{ id, merchantId, orderId: order.id, attemptId, provider: attempt.provider, reference: null },
    ...{ kind: 'refund', status: 'asked', amount, currency: order.currency, refundId: null },
    ...{ idempotencyKey, reason: body.reason, createdBy: by, createdAt: now, updatedAt: now },
  }
  await tables.reversals.insert(reversal)
  await tables.jobs.schedule({ ...jobOf(reversal), dueAt: now + SENDING_MS })
  return reversal
}

function repeated(known: Reversal, order: Order, { amount, reason }: NewRefund['body']): Reversal {
  const isSame =
    known.orderId === order.id &&
    known.reason === reason &&
    (amount === undefined || parseAmount(amount, order.currency) === known.amount)
  if (!isSame) throw new Refusal('idempotency_key_reused')
  return known
}

/**
 * The amount to pay back: at most what is left, less refunds that are not recorded yet, whether they are on
 * their way or were found at the provider. It is also at most what the provider took and still has: other
 * parts of the order may have been paid in coins.
 */
async function amountFor(
  tables: Tables,
  { id, currency }: Order,
  of: { attemptId: string; amount: string; refundedAmount: string | null; asked: string | undefined },
): Promise<string> {
  if (of.asked !== undefined && !isPositive(of.asked)) throw invalid('/amount', 'must be greater than zero')
  const reversals = (await tables.reversals.listOf(id)).filter(
    one => one.attemptId === of.attemptId && one.status !== 'failed',
  )
  const sum = (some: Reversal[]) => total(some.map(({ amount }) => minorOf(amount, currency)))
  const unrecorded = sum(reversals.filter(({ refundId }) => refundId === null))
  const refunded = of.refundedAmount === null ? 0n : minorOf(of.refundedAmount, currency)
  const payments = await tables.incomingPayments.listOf(of.attemptId)
  const taken = total(payments.filter(({ settles }) => settles).map(({ amountAtomic }) => amountAtomic))
  const ofOrder = minorOf(of.amount, currency) - refunded - unrecorded
  const ofPayment = taken - sum(reversals)
  const left = ofOrder < ofPayment ? ofOrder : ofPayment
  const asked = of.asked === undefined ? left : minorOf(parseAmount(of.asked, currency), currency)
  if (left <= 0n) throw new Refusal('order_not_refundable', 'This payment has already been refunded in full.')
  if (asked > left) {
    const rest = amountOf(left, currency)
    throw new Refusal('refund_exceeds_remaining', `Only ${rest} ${currency} can still be refunded.`)
  }
  return amountOf(asked, currency)
}
