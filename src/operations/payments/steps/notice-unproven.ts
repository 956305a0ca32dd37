import type { OwnAttempt } from '../../../domain/attempt.ts'
import { asserted } from '../../../domain/errors.ts'
import type { Context } from '../../context.ts'
import { notifyMerchant } from '../../notices/notify.ts'

const NOTICES_MAX = 100

/** Notifies the merchant, once per order, of an invoice that is reported as paid but without proof. */
export async function noticeUnproven(
  context: Pick<Context, 'storage' | 'clock' | 'ids' | 'log'>,
  { id: attemptId, orderId }: OwnAttempt,
  host = '',
): Promise<void> {
  context.log.warn({ attemptId, orderUUID: orderId, host }, 'payment.unproven')
  await context.storage.write(async tables => {
    const known = await tables.notifications.listOfOrder(orderId, NOTICES_MAX)
    if (known.some(({ facts }) => facts.about === 'lightning_unproven')) return
    const { order } = asserted(await tables.orders.find(orderId), 'the order of an attempt exists')
    if (order.status === 'UNPAID' || order.status === 'EXPIRED') {
      await notifyMerchant(context, tables, order, { about: 'lightning_unproven', host })
    }
  })
}
