import { kindOf, type NotificationFacts } from '../../domain/notification-facts.ts'
import type { Order } from '../../domain/order.ts'
import { isTestShop } from '../../domain/test-shop.ts'
import type { Tables } from '../../storage/port.ts'
import type { Context } from '../context.ts'

/** Records a notification about an order. */
export const notifyMerchant = (
  context: Pick<Context, 'clock' | 'ids'>,
  tables: Tables,
  order: Order,
  facts: NotificationFacts,
): Promise<void> => notifyOf(context, tables, order.merchantId, facts, order.id)

/**
 * Records a notification for a merchant. Does nothing for a test shop: there are no notifications about test
 * orders.
 */
export async function notifyOf(
  context: Pick<Context, 'clock' | 'ids'>,
  tables: Tables,
  merchantId: string,
  facts: NotificationFacts,
  orderId: string | null = null,
): Promise<void> {
  if (isTestShop(merchantId)) return
  await tables.notifications.insert({
    id: context.ids.uuid(),
    merchantId,
    kind: kindOf(facts),
    orderId,
    facts,
    createdAt: context.clock(),
  })
}

/** Notifies the people of a shop that an order was paid, if at least one of their channels wants it. */
export async function notifyPaid(
  context: Pick<Context, 'clock' | 'ids'>,
  tables: Tables,
  order: Order,
): Promise<void> {
  const { merchantId, amount, currency, externalId: number } = order
  const channels = await tables.personChannels.listOfMerchant(merchantId)
  if (channels.every(({ muted }) => muted.includes('order_paid'))) return
  await notifyMerchant(context, tables, order, {
    about: 'order_paid',
    amount: `${amount} ${currency}`,
    number,
  })
}
