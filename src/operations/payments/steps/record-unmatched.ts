import type { Attempt } from '../../../domain/attempt.ts'
import type { Order } from '../../../domain/order.ts'
import type { IncomingPayment } from '../../../domain/payment.ts'
import { type UnmatchedReason, unmatchedReason } from '../../../domain/settlement.ts'
import type { Tables } from '../../../storage/port.ts'
import type { Context } from '../../context.ts'
import { notifyMerchant } from '../../merchants/steps/notify.ts'

const sentences: Record<UnmatchedReason, string> = {
  wrong_asset: 'A payment arrived in another asset than the one asked for.',
  underpaid: 'A payment arrived that is too little for its order.',
  second_payment: 'A payment arrived for an order that was paid already.',
  order_closed: 'A payment arrived for an order that takes none any more.',
  too_late: 'A payment arrived after its address was watched for.',
}

/** Records every final payment that settles nothing, once, and tells the merchant. */
export async function recordUnmatched(
  context: Context,
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
 * After settlement nothing un-pays an order by itself; that its payment left the chain is for a person to
 * know.
 */
export async function reportReorganised(
  context: Context,
  tables: Tables,
  attempt: Attempt,
  incoming: IncomingPayment,
): Promise<void> {
  const found = await tables.orders.find(attempt.orderId)
  if (!found) return
  context.log.error(
    { orderUUID: attempt.orderId, txId: incoming.txId },
    'a settled payment has left its chain',
  )
  const text = `The payment ${incoming.txId} of this order is no longer on its chain. Check before you ship.`
  await notifyMerchant(context, tables, found.order, 'payment_reorganised', text)
}
