import type { Attempt } from '../../domain/attempt.ts'
import { type BuyerReason, BuyerRefusal, Refusal } from '../../domain/errors.ts'
import type { OrderStatus } from '../../domain/order.ts'
import { emptyWallet, type Wallet } from '../../domain/wallet.ts'
import type { UnmatchedRow } from '../../storage/port.ts'
import type { Context } from '../context.ts'
import type { OrderView } from '../orders/view.ts'

export interface Checkout extends OrderView {
  wallet: Wallet
  attempts: Attempt[]
  /** payments that did not pay the order, oldest first */
  unmatched: UnmatchedRow[]
  isBlocked: boolean
}

/** What a buyer's request needs to know about an order. Orders of a suspended merchant are not found. */
export async function loadCheckout(
  { storage }: Pick<Context, 'storage'>,
  orderId: string,
): Promise<Checkout> {
  return storage.read(async tables => {
    const found = await tables.orders.find(orderId)
    const merchant = found && (await tables.merchants.find(found.order.merchantId))
    if (!merchant || merchant.status === 'suspended')
      throw new BuyerRefusal('not_found', 'order_unknown', 'There is no such order.')
    const { order } = found
    const customer = await tables.customers.findByEmail(merchant.id, order.customerEmail)
    return {
      ...found,
      merchant,
      wallet: (await tables.wallets.find(merchant.id)) ?? emptyWallet(merchant.id, order.createdAt),
      attempts: await tables.attempts.listOf(order.id),
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
