import { type Attempt, hasPayments } from '../../domain/attempt.ts'
import { Refusal } from '../../domain/errors.ts'
import type { Started } from '../../domain/opening.ts'
import { isPastExpiry, type Order, type OrderStatus } from '../../domain/order.ts'
import type { OrderView } from '../../domain/order-view.ts'
import { overpaidOf } from '../../domain/overpaid.ts'
import type { IncomingPayment } from '../../domain/payment.ts'
import { emptyWallet, type Wallet } from '../../domain/wallet.ts'
import type { Tables, UnmatchedRow } from '../../storage/port.ts'
import type { Context } from '../context.ts'
import { type LooksElsewhere, loadElsewhere } from '../elsewhere/load.ts'
import { wasEnded } from '../orders/steps/was-ended.ts'

export interface Checkout extends OrderView, Started {
  wallet: Wallet
  /** payments that did not complete the order, without those that have left their chain; oldest first */
  unmatched: UnmatchedRow[]
  /** the payments that arrived for the attempts, oldest first */
  payments: IncomingPayment[]
  /** payments that left their chain before they were final, and that no payment replaced; oldest first */
  vanished: IncomingPayment[]
  /** the state of the other networks where the order's addresses exist; null if there are none */
  elsewhere: LooksElsewhere | null
  isBlocked: boolean
  /** true if the merchant ended the order, so that it expired before its time */
  isEnded: boolean
}

/** The data from which the payment status of an order is made. */
export type PaymentStatus = Pick<Checkout, 'order' | 'session' | 'merchant' | keyof Started>

const unknownOrder = () =>
  new Refusal('not_found', 'There is no such order.', { reason: { kind: 'order_unknown' } })

async function findOrder(tables: Tables, orderId: string) {
  const found = await tables.orders.find(orderId)
  if (!found) throw unknownOrder()
  return found
}

/** Finds the merchant whom a buyer pays. Orders of a suspended merchant are not found. */
async function findPayee({ storage }: Pick<Context, 'storage'>, { merchantId, createdAt }: Order) {
  const found = await storage.remember(['merchants', 'wallets'], `payee ${merchantId}`, async tables => ({
    merchant: await tables.merchants.find(merchantId),
    wallet: await tables.wallets.find(merchantId),
  }))
  const { merchant, wallet } = found
  if (!merchant || merchant.status === 'suspended') throw unknownOrder()
  return { merchant, wallet: wallet ?? emptyWallet(merchantId, createdAt) }
}

/** Loads the part of a checkout that scripts request again and again. */
export async function loadPaymentStatus(
  context: Pick<Context, 'storage'>,
  orderId: string,
): Promise<PaymentStatus> {
  const status = await context.storage.read(async tables => {
    const { order, session } = await findOrder(tables, orderId)
    const { attempts, openings } = await tables.attempts.listStarted(order.id)
    return { order, session, attempts, openings }
  })
  const { merchant } = await findPayee(context, status.order)
  return { ...status, merchant }
}

async function paymentsOf(
  tables: Tables,
  attempts: Attempt[],
): Promise<Pick<Checkout, 'payments' | 'vanished'>> {
  const paid = attempts.filter(hasPayments)
  const payments = (await Promise.all(paid.map(({ id }) => tables.incomingPayments.listOf(id)))).flat()
  const live = payments.filter(({ state }) => state !== 'gone')
  const spent = new Set(live.flatMap(({ inputs }) => inputs))
  const isReplaced = ({ inputs }: IncomingPayment) => inputs.some(input => spent.has(input))
  return {
    payments: live,
    vanished: payments.filter(payment => payment.state === 'gone' && !isReplaced(payment)),
  }
}

const isThere = ({ incoming }: UnmatchedRow): boolean => incoming.state !== 'gone'

/**
 * Loads what a buyer's request needs to know about an order. Orders of a suspended merchant are not found.
 */
export async function loadCheckout(
  context: Pick<Context, 'storage' | 'networks' | 'clock'>,
  orderId: string,
): Promise<Checkout> {
  const loaded = await context.storage.read(async tables => {
    const found = await findOrder(tables, orderId)
    const { order } = found
    const { looks, ...started } = await tables.attempts.listLooked(order.id)
    const customer = await tables.customers.findByEmail(order.merchantId, order.customerEmail)
    return {
      ...found,
      ...started,
      ...(await paymentsOf(tables, started.attempts)),
      unmatched:
        started.attempts.length === 0 ? [] : (await tables.unmatched.listOf(order.id)).filter(isThere),
      elsewhere: await loadElsewhere(context, tables, { order, attempts: started.attempts, looks }),
      isBlocked: customer?.blockedAt != null,
      isEnded: await wasEnded(tables, order),
    }
  })
  return { ...loaded, ...(await findPayee(context, loaded.order)) }
}

/** True if a buyer may want money of an attempt back: it paid no order, or was more than was due. */
export const isReturnable = (
  { order, attempts, unmatched }: Pick<Checkout, 'order' | 'attempts' | 'unmatched'>,
  { id, kind }: Attempt,
): boolean =>
  kind === 'address' &&
  (unmatched.some(({ payment }) => payment.attemptId === id && payment.status === 'open') ||
    overpaidOf(order, attempts)?.attempt.id === id)

const closed = {
  PAID: ['order_paid', 'This order is already paid.'],
  CANCELLED: ['order_cancelled', 'This order was cancelled.'],
  EXPIRED: ['order_expired', 'This order has expired. Go back to the shop and order again.'],
  FAILED: ['order_failed', 'The payment of this order failed. Go back to the shop and order again.'],
} as const satisfies Record<Exclude<OrderStatus, 'UNPAID'>, readonly [reason: string, message: string]>

function refuseClosed(status: keyof typeof closed): never {
  const [kind, message] = closed[status]
  throw new Refusal('order_not_payable', message, { reason: { kind } })
}

/** Refuses if the buyer of this order cannot pay. */
export function checkPayable({ order, isBlocked }: Checkout): void {
  if (order.status !== 'UNPAID') refuseClosed(order.status)
  if (isBlocked) throw new Refusal('customer_blocked')
}

/** Refuses if a new payment of this order cannot be started. */
export function checkOpenable(checkout: Checkout, now: number): void {
  checkPayable(checkout)
  if (isPastExpiry(checkout.order, now)) refuseClosed('EXPIRED')
}

/** Throws not_found for an order that buyers cannot see. */
export async function requirePublicOrder(context: Pick<Context, 'storage'>, orderId: string): Promise<void> {
  const { order } = await context.storage.read(tables => findOrder(tables, orderId))
  await findPayee(context, order)
}
