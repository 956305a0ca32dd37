import { runAutomatically } from './automatic.ts'
import type { Order } from './florin/api.ts'
import { minorOf } from './money.ts'

/** A payment session of Medusa, with its cart and its payment. */
export interface Session {
  id: string
  amount: unknown
  currency: string
  data: Record<string, unknown>
  cart: { id: string; total: unknown; currency: string } | null
  payment: { id: string; data: Record<string, unknown>; refunds: { id: string; amount: unknown }[] } | null
  /** true once the payment is captured and the cart is a complete order */
  isComplete: boolean
}

/** The actions of the plugin in Medusa. */
export interface Shop {
  findSession(id: string): Promise<Session | null>
  /**
   * Captures the payment and makes an order of the cart. Repairs an order that a killed shop left unfinished.
   */
  complete(session: Session): Promise<void>
  /** Removes refunds that a killed shop left unfinished. */
  removeUnfinishedRefunds(): Promise<void>
  /** Notes in Medusa a refund that exists in Florin. */
  refund(paymentId: string, amount: string, note: string): Promise<void>
  /** Notifies the merchant, once for each ID. */
  notify(notice: Notice): Promise<void>
}

export interface Notice {
  id: string
  title: string
  text: string
}

/** The common fields of an order of Florin and its event `order.paid`. */
export type PaidOrder = Pick<Order, 'orderUUID' | 'amount' | 'currency'> & {
  metadata?: Record<string, unknown>
}

/** The ID of the payment session for which an order was made; null for an order that is not Medusa's. */
export function sessionIdOf({ metadata }: PaidOrder): string | null {
  const id = metadata?.session_id
  return typeof id === 'string' && id.startsWith('payses_') ? id : null
}

/** True if the buyer was asked for the total that the cart has now. */
export function isTotalOf({ amount, currency, cart }: Session): boolean {
  if (!cart) return true
  return (
    cart.currency.toLowerCase() === currency.toLowerCase() &&
    minorOf(cart.total, cart.currency) === minorOf(amount, currency)
  )
}

/** The reason why the money of an order does not pay the cart; null if it does. */
function mismatchOf(session: Session, order: PaidOrder): string | null {
  const { amount, currency, data } = session
  if (data.orderUUID !== order.orderUUID) return 'The buyer paid for a former state of the cart.'
  const isAmount =
    currency.toUpperCase() === order.currency && minorOf(amount, currency) === minorOf(order.amount, currency)
  if (!isAmount) return 'The amount is not that of the payment session.'
  return isTotalOf(session) ? null : 'The cart was changed, and now has another total.'
}

/** The message of an error. Workflows throw objects that are not errors. */
export const messageOf = (reason: unknown): string =>
  typeof reason === 'object' && reason !== null && 'message' in reason
    ? String(reason.message)
    : String(reason)

const working = new Map<string, Promise<void>>()

/**
 * Runs one task after the other for a payment session. Deliveries and the storefront try to order its cart at
 * the same time, and if both fail, Medusa may forget the lock of the cart.
 */
export async function oneAtATime(id: string, task: () => Promise<void>): Promise<void> {
  const before = working.get(id) ?? Promise.resolve()
  const work = before.catch(() => {}).then(task)
  working.set(id, work)
  try {
    await work
  } finally {
    if (working.get(id) === work) working.delete(id)
  }
}

/**
 * Completes the cart of a paid order of Florin, or notifies the merchant if the money does not pay the cart.
 * Returns once all is stored. Running it again changes nothing. Throws if the cart cannot be completed now:
 * then Florin delivers the event again.
 */
export async function settle(shop: Shop, order: PaidOrder): Promise<void> {
  const id = sessionIdOf(order)
  if (id === null) return
  await oneAtATime(id, async () => {
    const session = await shop.findSession(id)
    if (session?.isComplete && session.data.orderUUID === order.orderUUID) return
    const mismatch = session ? mismatchOf(session, order) : 'The buyer paid for a former state of the cart.'
    if (session && mismatch === null) return runAutomatically(() => shop.complete(session))
    await shop.notify({
      id: `florin-paid-${order.orderUUID}`,
      title: `${order.amount} ${order.currency} arrived, and no order was placed for it`,
      text: `${mismatch} Look at order ${order.orderUUID} in Florin, and refund it or place the order by hand.`,
    })
  })
}
