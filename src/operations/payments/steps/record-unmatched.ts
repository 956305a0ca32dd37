import type { Attempt } from '../../../domain/attempt.ts'
import type { Order } from '../../../domain/order.ts'
import type { IncomingPayment } from '../../../domain/payment.ts'
import { type UnmatchedReason, unmatchedReason } from '../../../domain/settlement.ts'
import type { Tables } from '../../../storage/port.ts'
import type { Context } from '../../context.ts'
import { notifyMerchant } from '../../merchants/steps/notify.ts'

const sentences: Record<UnmatchedReason, string> = {
  wrong_asset: 'A payment arrived in a different asset than the order asked for.',
  underpaid: 'A payment arrived that is too small for its order.',
  second_payment: 'A payment arrived for an order that is already paid.',
  order_closed: 'A payment arrived for an order that can no longer be paid.',
  too_late: 'A payment arrived too late to be matched with its order.',
}

/** Records every final payment that settles nothing, once, and notifies the merchant. */
export async function recordUnmatched(
  context: Pick<Context, 'ids' | 'clock'>,
  tables: Tables,
  order: Order,
  attempt: Attempt,
  incomingPayments: IncomingPayment[],
): Promise<void> {
  const now = context.clock()
  for (const incoming of incomingPayments) {
    const reason = unmatchedReason(incoming, attempt, order)
    if (reason === null) continue
    const isNew = await tables.unmatched.insert({
      id: context.ids.uuid(),
      merchantId: order.merchantId,
      orderId: order.id,
      attemptId: attempt.id,
      incomingPaymentId: incoming.id,
      reason,
      status: 'open',
      createdAt: now,
      updatedAt: now,
    })
    if (isNew) await notifyMerchant(context, tables, order, 'unmatched_payment', sentences[reason])
  }
}

/**
 * Records the payments of all attempts of an order that has just been closed: nobody may look at its other
 * attempts for hours.
 */
export async function recordUnmatchedOfOrder(
  context: Pick<Context, 'ids' | 'clock'>,
  tables: Tables,
  order: Order,
): Promise<void> {
  for (const attempt of await tables.attempts.listOf(order.id)) {
    await recordUnmatched(context, tables, order, attempt, await tables.incomingPayments.listOf(attempt.id))
  }
}

/** Nothing reverses a settlement by itself: a payment that left its chain is reported to a person. */
export async function reportReorganised(
  context: Pick<Context, 'ids' | 'clock' | 'log'>,
  tables: Tables,
  attempt: Attempt,
  incoming: IncomingPayment,
): Promise<void> {
  const found = await tables.orders.find(attempt.orderId)
  if (!found) return
  context.log.error({ orderUUID: attempt.orderId, txId: incoming.txId }, 'payment.reorganised')
  const text = `The payment ${incoming.txId} of this order is no longer on its chain. Check before you ship.`
  await notifyMerchant(context, tables, found.order, 'payment_reorganised', text)
}
