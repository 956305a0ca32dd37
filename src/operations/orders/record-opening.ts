import type { Order } from '../../domain/order.ts'
import type { Context } from '../context.ts'

/**
 * Records when the page of an order was first opened, to show it to the merchant. Runs in the background, and
 * a failure does not affect the page.
 */
export async function recordOpening(
  { storage, clock, log }: Pick<Context, 'storage' | 'clock' | 'log'>,
  { id, openedAt, status }: Order,
): Promise<void> {
  if (openedAt !== null || status !== 'UNPAID') return
  try {
    await storage.write(async tables => {
      const found = await tables.orders.find(id)
      if (found?.order.openedAt === null) await tables.orders.update(id, { openedAt: clock() })
    })
  } catch (error) {
    log.warn({ orderId: id, error: String(error) }, 'order.opening.lost')
  }
}
