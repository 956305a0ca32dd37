import type { MedusaContainer } from '@medusajs/framework/types'
import { ContainerRegistrationKeys, Modules } from '@medusajs/framework/utils'
import { findRows, findSession, type OpenSession } from './medusa.ts'

interface OrderRow {
  id: string
  status: string
  metadata: Record<string, unknown> | null
  items: { id: string }[]
  fulfillments?: { id: string }[]
}

/** Orders that were made for an order of Florin; normally one or none. */
async function ordersOf(container: MedusaContainer, session: OpenSession): Promise<OrderRow[]> {
  const fields = ['id', 'status', 'metadata', 'items.id', 'fulfillments.id']
  const filters = { email: session.cartRow?.email, created_at: { $gte: session.createdAt } }
  const orders = await findRows<OrderRow>(container, 'order', fields, filters)
  return orders.filter(({ metadata }) => metadata?.florin_order === session.data.orderUUID)
}

/** Orders get this from their cart, so that an unfinished one is found, and so that people find the payment. */
async function markCart(container: MedusaContainer, session: OpenSession): Promise<void> {
  const { cartRow, data } = session
  if (!cartRow || cartRow.metadata?.florin_order === data.orderUUID) return
  const metadata = { ...cartRow.metadata, florin_order: data.orderUUID }
  await container.resolve(Modules.CART).updateCarts(cartRow.id, { metadata })
}

async function remove(container: MedusaContainer, session: OpenSession, order: OrderRow): Promise<void> {
  const link = container.resolve(ContainerRegistrationKeys.LINK)
  await link.dismiss([
    { [Modules.ORDER]: { order_id: order.id }, [Modules.CART]: { cart_id: session.cart?.id } },
    {
      [Modules.ORDER]: { order_id: order.id },
      [Modules.PAYMENT]: { payment_collection_id: session.paymentCollectionId },
    },
  ])
  const items = order.items.map(({ id }) => id)
  await container.resolve(Modules.INVENTORY).deleteReservationItemsByLineItem(items)
  await container.resolve(Modules.ORDER).deleteOrders([order.id])
}

/**
 * Removes an order that a killed shop did not finish: it lacks its link to the cart, its payment, reservations
 * or events, and Medusa never continues it. Another one is made then. The caller has the lock of the cart, so
 * that no order is removed which is just being made.
 */
export async function removeUnfinished(container: MedusaContainer, sessionId: string): Promise<void> {
  const session = await findSession(container, sessionId)
  if (!session?.cart || session.isComplete) return
  for (const order of await ordersOf(container, session)) {
    if (order.status !== 'pending' || order.fulfillments?.length)
      throw new Error(`Order ${order.id} is unfinished, and somebody worked on it. Look at it in the admin.`)
    await remove(container, session, order)
  }
  await container.resolve(Modules.CART).updateCarts(session.cart.id, { completed_at: null } as object)
  await markCart(container, session)
}

/** Prepares a cart that the storefront completes. */
export async function beforeCompletion(container: MedusaContainer, sessionId: string): Promise<void> {
  const session = await findSession(container, sessionId)
  if (session && !session.isComplete) await markCart(container, session)
}
