import type { OwnAttempt } from '../../../domain/attempt.ts'
import { asserted } from '../../../domain/errors.ts'
import type { NotificationFacts } from '../../../domain/notification-facts.ts'
import type { Unproven } from '../../../networks/port.ts'
import type { Context } from '../../context.ts'
import { notifyMerchant } from '../../notices/notify.ts'
import { isClosed } from '../../settlement/case.ts'

const NOTICES_MAX = 100

/** A second endpoint may be behind or fail for this long before the merchant is notified. */
const PATIENCE_MS = 900_000

/**
 * Notifies the merchant, once per order, of a payment that only one endpoint reports, whether others leave it
 * out or cannot be asked, or of an invoice that is reported as paid without proof.
 */
export async function noticeUnproven(
  context: Pick<Context, 'storage' | 'clock' | 'ids' | 'log'>,
  { id: attemptId, orderId }: OwnAttempt,
  { txId, paidAt, endpoint: host }: Unproven,
): Promise<void> {
  const isRecent = (since: number): boolean => context.clock() - since < PATIENCE_MS
  if (txId !== null && isRecent(paidAt)) return
  await context.storage.write(async tables => {
    const facts: NotificationFacts =
      txId === null ? { about: 'lightning_unproven', host } : { about: 'payment_unproven', host, txId }
    const known = await tables.notifications.listOfOrder(orderId, NOTICES_MAX)
    if (known.some(one => one.facts.about === facts.about)) return
    const payments = txId === null ? [] : await tables.incomingPayments.listOf(attemptId)
    const same = payments.filter(payment => [payment.txId, payment.txIn].includes(txId))
    // A payment that two endpoints reported before may be too old for one of them to read it again. After an
    // outage of all endpoints, the second may report it soon after the first.
    if (same.some(({ state, createdAt }) => state === 'final' || isRecent(createdAt))) return
    const { order } = asserted(await tables.orders.find(orderId), 'the order of an attempt exists')
    if (isClosed(order.status)) return
    context.log.warn({ attemptId, orderUUID: orderId, host, ...(txId && { txId }) }, 'payment.unproven')
    await notifyMerchant(context, tables, order, facts)
  })
}
