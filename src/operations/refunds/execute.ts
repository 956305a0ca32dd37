import { assert, invalid, Refusal } from '../../domain/errors.ts'
import { amountOf, isPositive, minorOf, parseAmount } from '../../domain/money.ts'
import type { Order } from '../../domain/order.ts'
import { isRefundable } from '../../domain/refund.ts'
import type { Reversal } from '../../domain/reversal.ts'
import type { Tables } from '../../storage/port.ts'
import type { Context } from '../context.ts'
import { requireOrder } from '../orders/steps/require-order.ts'
import { sendRefund } from './send.ts'
import { findRepeated, type NewRefund, refundIdOf } from './steps/record-in.ts'
import { type RefundablePart, refundablePart } from './steps/refundable-part.ts'

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
  const part = refundablePart(context.providers, {
    order,
    attempts: await tables.attempts.listOf(orderId),
    payments: await tables.incomingPayments.listOfOrder(orderId),
    reversals: await tables.reversals.listOf(orderId),
  })
  if (part === null) {
    throw new Refusal(
      'order_not_refundable',
      'This payment cannot be refunded through a provider. Send the money yourself, and record the refund.',
    )
  }
  const amount = amountFor(part, order, body.amount)
  const { id: attemptId, provider } = part.attempt
  const now = context.clock()
  const reversal: Reversal = {
    ...{ id, merchantId, orderId: order.id, attemptId, provider, reference: null },
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

/** The amount to pay back: at most what is left; without an amount, all of that. */
function amountFor({ left, isPart }: RefundablePart, { currency }: Order, asked: string | undefined): string {
  if (asked !== undefined && !isPositive(asked)) throw invalid('/amount', 'must be greater than zero')
  const minor = asked === undefined ? left : minorOf(parseAmount(asked, currency), currency)
  const apart = 'Send the rest yourself, and record the refund.'
  if (left <= 0n) {
    const message = 'This payment has already been refunded in full.'
    throw new Refusal('order_not_refundable', isPart ? `${message} ${apart}` : message)
  }
  if (minor > left) {
    const rest = `${amountOf(left, currency)} ${currency}`
    const message = isPart
      ? `The provider can refund ${rest} of this order. ${apart}`
      : `Only ${rest} can still be refunded.`
    throw new Refusal('refund_exceeds_remaining', message)
  }
  return amountOf(minor, currency)
}
