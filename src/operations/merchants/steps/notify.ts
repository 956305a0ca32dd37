import type { Notification } from '../../../domain/notification.ts'
import type { Order } from '../../../domain/order.ts'
import type { Tables } from '../../../storage/port.ts'
import type { Context } from '../../context.ts'

/** Records a notification about an order. */
export const notifyMerchant = (
  context: Pick<Context, 'clock' | 'ids'>,
  tables: Tables,
  order: Order,
  kind: Notification['kind'],
  text: string,
): Promise<void> => notifyOf(context, tables, order.merchantId, kind, text, order.id)

/** Records a notification for a merchant. */
export async function notifyOf(
  context: Pick<Context, 'clock' | 'ids'>,
  tables: Tables,
  merchantId: string,
  kind: Notification['kind'],
  text: string,
  orderId: string | null = null,
): Promise<void> {
  await tables.notifications.insert({
    id: context.ids.uuid(),
    merchantId,
    kind,
    orderId,
    text,
    createdAt: context.clock(),
  })
}
