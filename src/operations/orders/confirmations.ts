import type { Attempt } from '../../domain/attempt.ts'
import type { OrderView } from '../../domain/order-view.ts'
import type { Context } from '../context.ts'

/** The confirmations of a seen payment, and the required number. */
export interface Confirmations {
  count: number
  required: number
}

/** The confirmations of an order's seen payments; null if nobody counts them, as with some providers. */
export function confirmationsOf({ attempts }: { attempts: readonly Attempt[] }): Confirmations | null {
  for (const { state, confirmations: count, requiredConfirmations: required } of attempts) {
    if (state === 'confirming' && count !== null && required !== null) return { count, required }
  }
  return null
}

/** The confirmations of those orders that have a seen payment, by order. */
export async function listConfirmations(
  { storage }: Pick<Context, 'storage'>,
  views: readonly Pick<OrderView, 'order'>[],
): Promise<Map<string, Confirmations | null>> {
  const ids = views.flatMap(({ order }) => (order.paymentState === 'CONFIRMING' ? [order.id] : []))
  if (ids.length === 0) return new Map()
  const attempts = await storage.read(tables => tables.attempts.listOfOrders(ids))
  return new Map(
    ids.map(id => [id, confirmationsOf({ attempts: attempts.filter(({ orderId }) => orderId === id) })]),
  )
}
