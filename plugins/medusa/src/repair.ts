import type { MedusaContainer } from '@medusajs/framework/types'
import { ContainerRegistrationKeys, Modules } from '@medusajs/framework/utils'
import { findRow, findRows, findSession, type OpenSession, PROVIDER_ID } from './medusa.ts'
import { refundsIn } from './payments.ts'

interface OrderRow {
  id: string
  status: string
  metadata: Record<string, unknown> | null
  items?: { id: string }[]
  fulfillments?: { id: string }[]
}

/** Orders in Medusa that were made for an order of Florin; normally one or none. */
async function ordersOf(container: MedusaContainer, session: OpenSession): Promise<OrderRow[]> {
  const fields = ['id', 'status', 'metadata', 'items.id', 'fulfillments.id']
  const filters = { email: session.cartRow?.email, created_at: { $gte: session.createdAt } }
  const orders = await findRows<OrderRow>(container, 'order', fields, filters)
  return orders.filter(({ metadata }) => metadata?.florin_order === session.data.orderUUID)
}

/**
 * Marks a cart with its order in Florin. Orders get this mark from their cart, so that an unfinished order is
 * found, and so that people find the payment.
 */
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
  const items = (order.items ?? []).map(({ id }) => id)
  await container.resolve(Modules.INVENTORY).deleteReservationItemsByLineItem(items)
  await container.resolve(Modules.ORDER).deleteOrders([order.id])
}

/**
 * Removes an order that a killed shop did not finish. The order lacks its link to the cart, its payment,
 * reservations or events, and Medusa never continues it. Medusa can then make another one. The caller has to
 * hold the lock of the cart, so that no order is removed while it is being made.
 */
export async function removeUnfinished(container: MedusaContainer, sessionId: string): Promise<void> {
  const session = await findSession(container, sessionId)
  if (!session?.cart || session.isComplete) return
  for (const order of await ordersOf(container, session)) {
    if (order.status !== 'pending' || order.fulfillments?.length)
      throw new Error(`Order ${order.id} is unfinished, but was already worked on. Look at it in the admin.`)
    await remove(container, session, order)
  }
  await container.resolve(Modules.CART).updateCarts(session.cart.id, { completed_at: null } as object)
  await markCart(container, session)
}

const MINUTE_MS = 60_000
/** Age after which a refund is no longer being made. */
const REFUND_MS = 2 * MINUTE_MS
const LONGEST_MS = 3 * 24 * 60 * MINUTE_MS

interface RefundRow {
  id: string
  payment: {
    id: string
    provider_id: string
    payment_collection_id: string
    data: Record<string, unknown> | null
  }
}

async function isFinished(container: MedusaContainer, { id, payment }: RefundRow): Promise<boolean> {
  const { payment_collection_id } = payment
  const filters = { payment_collection_id }
  const link = await findRow<{ order_id: string }>(
    container,
    'order_payment_collection',
    ['order_id'],
    filters,
  )
  if (!link) return true
  // If several refunds are made at once, Medusa writes the ID of the payment there.
  const transaction = { order_id: link.order_id, reference: 'refund', reference_id: [id, payment.id] }
  return (await container.resolve(Modules.ORDER).listOrderTransactions(transaction)).length > 0
}

/**
 * Removes refunds that a killed shop did not finish. The order lacks their transactions, but they count as
 * refunded, so that nobody could try again. If Florin recorded a refund, `catchUpOnRefunds` notes it again.
 */
export async function removeUnfinishedRefunds(container: MedusaContainer): Promise<void> {
  const module = container.resolve(Modules.PAYMENT)
  const now = Date.now()
  const created_at = { $gte: new Date(now - LONGEST_MS), $lte: new Date(now - REFUND_MS) }
  const refunds = await module.listRefunds({ created_at } as object, { relations: ['payment'] })
  for (const refund of refunds as unknown as RefundRow[]) {
    const { id, payment } = refund
    if (payment.provider_id !== PROVIDER_ID || (await isFinished(container, refund))) continue
    const { [id]: _, ...others } = refundsIn(payment.data ?? {})
    await module.updatePayment({ id: payment.id, data: { ...payment.data, refunds: others } } as {
      id: string
    })
    await module.deleteRefunds([id])
  }
}

/** Prepares a cart before the storefront completes it. */
export async function beforeCompletion(container: MedusaContainer, sessionId: string): Promise<void> {
  const session = await findSession(container, sessionId)
  if (session && !session.isComplete) await markCart(container, session)
}
