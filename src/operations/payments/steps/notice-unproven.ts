import type { OwnAttempt } from '../../../domain/attempt.ts'
import { asserted } from '../../../domain/errors.ts'
import type { NotificationFacts } from '../../../domain/notification-facts.ts'
import type { Unproven } from '../../../networks/port.ts'
import type { Context } from '../../context.ts'
import { notifyMerchant } from '../../notices/notify.ts'
import { isClosed } from '../../settlement/case.ts'

const NOTICES_MAX = 100

/** A second endpoint may be behind for this long before the merchant is notified that it lacks a payment. */
const PATIENCE_MS = 900_000

/**
 * Notifies the merchant, once per order, of a payment that only one endpoint reports, or of an invoice that
 * is reported as paid without proof.
 */
export async function noticeUnproven(
  context: Pick<Context, 'storage' | 'clock' | 'ids' | 'log'>,
  { id: attemptId, orderId }: OwnAttempt,
  { txId, paidAt, endpoint: host }: Unproven,
): Promise<void> {
  if (txId !== null && context.clock() - paidAt < PATIENCE_MS) return
  await context.storage.write(async tables => {
    const facts: NotificationFacts =
      txId === null ? { about: 'lightning_unproven', host } : { about: 'payment_unproven', host, txId }
    const known = await tables.notifications.listOfOrder(orderId, NOTICES_MAX)
    if (known.some(one => one.facts.about === facts.about)) return
    const payments = txId === null ? [] : await tables.incomingPayments.listOf(attemptId)
    // A payment that two endpoints reported before may be too old for one of them to read it again.
    if (payments.some(payment => payment.state === 'final' && [payment.txId, payment.txIn].includes(txId)))
      return
    const { order } = asserted(await tables.orders.find(orderId), 'the order of an attempt exists')
    if (isClosed(order.status)) return
    context.log.warn({ attemptId, orderUUID: orderId, host, ...(txId && { txId }) }, 'payment.unproven')
    await notifyMerchant(context, tables, order, facts)
  })
}
