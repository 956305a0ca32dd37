import type { Notification } from '../../../domain/notification.ts'
import type { Order } from '../../../domain/order.ts'
import type { Tables } from '../../../storage/port.ts'
import type { Context } from '../../context.ts'

/** Records a notification for a merchant. */
export async function notifyMerchant(
  context: Pick<Context, 'clock' | 'ids'>,
  tables: Tables,
  order: Order,
  kind: Notification['kind'],
  text: string,
): Promise<void> {
  await tables.notifications.insert({
    id: context.ids.uuid(),
    merchantId: order.merchantId,
    kind,
    orderId: order.id,
    text,
    createdAt: context.clock(),
  })
}
