import type { Attempt } from '../../domain/attempt.ts'
import { type BuyerReason, BuyerRefusal, Refusal } from '../../domain/errors.ts'
import type { OrderStatus } from '../../domain/order.ts'
import type { IncomingPayment } from '../../domain/payment.ts'
import { emptyWallet, type Wallet } from '../../domain/wallet.ts'
import type { Tables, UnmatchedRow } from '../../storage/port.ts'
import type { Context } from '../context.ts'
import type { OrderView } from '../orders/view.ts'

export interface Checkout extends OrderView {
  wallet: Wallet
  attempts: Attempt[]
  /** payments that did not complete the order, oldest first */
  unmatched: UnmatchedRow[]
  /** what arrived for the attempts, oldest first */
  payments: IncomingPayment[]
  isBlocked: boolean
}

/** What the status of an order is made from. */
export type PaymentStatus = Pick<Checkout, 'order' | 'session' | 'attempts'>

/** Orders of a suspended merchant are not found. */
async function findPublic(tables: Tables, orderId: string) {
  const found = await tables.orders.find(orderId)
  const merchant = found && (await tables.merchants.find(found.order.merchantId))
  if (!merchant || merchant.status === 'suspended')
    throw new BuyerRefusal('not_found', 'order_unknown', 'There is no such order.')
  return { ...found, merchant }
}

/** The part of `loadCheckout` that scripts ask for again and again. */
export const loadPaymentStatus = (
  { storage }: Pick<Context, 'storage'>,
  orderId: string,
): Promise<PaymentStatus> =>
  storage.read(async tables => {
    const { order, session } = await findPublic(tables, orderId)
    return { order, session, attempts: await tables.attempts.listOf(order.id) }
  })

async function paymentsOf(tables: Tables, attempts: Attempt[]): Promise<IncomingPayment[]> {
  const paid = attempts.filter(({ receivedAtomic }) => receivedAtomic > 0n)
  const payments = await Promise.all(paid.map(({ id }) => tables.incomingPayments.listOf(id)))
  return payments.flat().filter(({ state }) => state !== 'gone')
}

/** What a buyer's request needs to know about an order. Orders of a suspended merchant are not found. */
export async function loadCheckout(
  { storage }: Pick<Context, 'storage'>,
  orderId: string,
): Promise<Checkout> {
  return storage.read(async tables => {
    const found = await findPublic(tables, orderId)
    const { order, merchant } = found
    const attempts = await tables.attempts.listOf(order.id)
    const customer = await tables.customers.findByEmail(merchant.id, order.customerEmail)
    return {
      ...found,
      wallet: (await tables.wallets.find(merchant.id)) ?? emptyWallet(merchant.id, order.createdAt),
      attempts,
      payments: await paymentsOf(tables, attempts),
      unmatched: await tables.unmatched.listOf(order.id),
      isBlocked: customer?.blockedAt != null,
    }
  })
}

/** Whether a buyer may want money of an attempt back: it paid no order, or was more than was due. */
export const isReturnable = ({ unmatched }: Pick<Checkout, 'unmatched'>, attempt: Attempt): boolean =>
  attempt.kind === 'address' &&
  (unmatched.some(({ payment }) => payment.attemptId === attempt.id && payment.status === 'open') ||
    (attempt.state === 'settled' && attempt.confirmedAtomic > attempt.dueAtomic))

const closed: Record<Exclude<OrderStatus, 'UNPAID'>, [reason: BuyerReason, message: string]> = {
  PAID: ['order_paid', 'This order is already paid.'],
  CANCELLED: ['order_cancelled', 'This order was cancelled.'],
  EXPIRED: ['order_expired', 'This order has expired. Go back to the shop and order again.'],
  FAILED: ['order_failed', 'The payment of this order failed. Go back to the shop and order again.'],
}

/** Refuses if a new payment of this order cannot be started. */
export function checkPayable({ order, isBlocked }: Checkout, now: number): void {
  if (order.status !== 'UNPAID') throw new BuyerRefusal('order_not_payable', ...closed[order.status])
  if (now >= order.expiresAt) throw new BuyerRefusal('order_not_payable', ...closed.EXPIRED)
  if (isBlocked) throw new Refusal('customer_blocked')
}
