import { runAutomatically } from './automatic.ts'
import type { Order } from './florin/api.ts'
import { minorOf } from './money.ts'
import { type Payments, refundsIn } from './payments.ts'

/** A payment session of Medusa, with what belongs to it. */
export interface Session {
  id: string
  amount: unknown
  currency: string
  data: Record<string, unknown>
  cart: { id: string; total: unknown; currency: string } | null
  payment: { id: string; data: Record<string, unknown>; refunded: unknown[] } | null
  /** true once the payment is captured and the cart is a complete order */
  isComplete: boolean
}

/** What is done in Medusa. */
export interface Shop {
  findSession(id: string): Promise<Session | null>
  /** Captures the payment and makes an order of the cart. Repairs what a killed shop left half done. */
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

/** What an order of Florin and its event `order.paid` have in common. */
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
 * Does in Medusa what a paid order of Florin means, and returns once it is stored. Running it again changes
 * nothing. Throws if the cart cannot be completed now: then Florin delivers the event again.
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

const MINUTE_MS = 60_000
const LONGEST_PAUSE_MINUTES = 60
/** Most failures are over by then, such as a restart of the database. */
const REPORTED_AFTER_TRIES = 3

/** Orders whose carts could not be completed, and when to try again. */
const waiting = new Map<string, { tries: number; until: number }>()

/** Workflows throw objects that are no errors. */
export const messageOf = (reason: unknown): string =>
  typeof reason === 'object' && reason !== null && 'message' in reason
    ? String(reason.message)
    : String(reason)

async function putOff(shop: Shop, { orderUUID, amount, currency }: Order, now: number, reason: unknown) {
  const tries = (waiting.get(orderUUID)?.tries ?? 0) + 1
  waiting.set(orderUUID, { tries, until: now + Math.min(2 ** tries, LONGEST_PAUSE_MINUTES) * MINUTE_MS })
  if (tries !== REPORTED_AFTER_TRIES) return
  await shop.notify({
    id: `florin-waiting-${orderUUID}`,
    title: `${amount} ${currency} arrived, and the cart cannot become an order`,
    text: `${messageOf(reason)} It is tried again. Order ${orderUUID} in Florin.`,
  })
}

/**
 * Does what was missed while the shop was down or its webhook was disabled: completes the carts of paid orders,
 * and notes refunds that were made in Florin. Continues after a failure, and throws the first one at the end.
 * Returns false if something is left to do.
 */
export async function catchUp(
  shop: Shop,
  payments: Payments,
  since: Date,
  now = Date.now(),
): Promise<boolean> {
  const failures: unknown[] = []
  let isDone = true
  await shop.removeUnfinishedRefunds()
  for await (const order of payments.paidSince(since)) {
    if (now < (waiting.get(order.orderUUID)?.until ?? 0)) {
      isDone = false
      continue
    }
    try {
      await settle(shop, order)
      if (order.refundedAmount !== undefined) await noteRefunds(shop, payments, order)
      waiting.delete(order.orderUUID)
    } catch (error) {
      failures.push(error)
      await putOff(shop, order, now, error)
    }
  }
  if (failures.length > 0) throw failures[0]
  return isDone
}

async function noteRefunds(shop: Shop, payments: Payments, order: Order): Promise<void> {
  const id = sessionIdOf(order)
  const session = id === null ? null : await shop.findSession(id)
  if (!session?.payment || session.data.orderUUID !== order.orderUUID) return
  const { payment, currency } = session
  const known = Object.values(refundsIn(payment.data))
  const refunds = await payments.refundsOf(order.orderUUID)
  const unknown = refunds.filter(({ refundId }) => !known.includes(refundId))
  for (const { amount, reason } of unknown) await shop.refund(payment.id, amount, `In Florin: ${reason}`)
  const inFlorin = refunds.reduce((sum, { amount }) => sum + minorOf(amount, currency), 0n)
  const inMedusa = payment.refunded.reduce((sum: bigint, amount) => sum + minorOf(amount, currency), 0n)
  if (unknown.length === 0 && inMedusa > inFlorin) {
    await shop.notify({
      id: `florin-refunds-${order.orderUUID}-${inMedusa}-${inFlorin}`,
      title: 'Medusa has more refunds than Florin',
      text: `Compare the refunds of order ${order.orderUUID} in Florin with those in Medusa.`,
    })
  }
}
