import type { Attempt } from '../../domain/attempt.ts'
import { Refusal } from '../../domain/errors.ts'
import { emptyWallet, type Wallet } from '../../domain/wallet.ts'
import type { Context } from '../context.ts'
import type { OrderView } from '../orders/view.ts'

export interface Checkout extends OrderView {
  wallet: Wallet
  attempts: Attempt[]
  isBlocked: boolean
}

/** All that a buyer's request rests on. A suspended merchant's orders are not there. */
export async function loadCheckout(context: Context, orderId: string): Promise<Checkout> {
  return context.storage.read(async tables => {
    const found = await tables.orders.find(orderId)
    const merchant = found && (await tables.merchants.find(found.order.merchantId))
    if (!merchant || merchant.status === 'suspended')
      throw new Refusal('not_found', 'There is no such order.')
    const { order } = found
    const customer = await tables.customers.findByEmail(merchant.id, order.customerEmail)
    return {
      ...found,
      merchant,
      wallet: (await tables.wallets.find(merchant.id)) ?? emptyWallet(merchant.id, order.createdAt),
      attempts: await tables.attempts.listOf(order.id),
      isBlocked: customer?.blockedAt != null,
    }
  })
}

/** Refuses what stands against a new payment of this order. */
export function checkPayable({ order, isBlocked }: Checkout, now: number): void {
  if (order.status !== 'UNPAID') throw new Refusal('order_not_payable', `The order is ${order.status}.`)
  if (now >= order.expiresAt) throw new Refusal('order_not_payable', 'The order has expired.')
  if (isBlocked) throw new Refusal('customer_blocked')
}
