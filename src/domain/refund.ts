import { assert, Refusal } from './errors.ts'
import { type Amount, amountOf, minorOf } from './money.ts'
import type { Order } from './order.ts'
import type { IncomingPayment } from './payment.ts'
import type { Refunded } from './refund-totals.ts'
import type { Transaction } from './transaction.ts'

/** A recorded refund. Never changed. */
export interface Refund {
  /** digest of the merchant and the Idempotency-Key */
  id: string
  merchantId: string
  orderId: string
  transactionId: string
  amount: Amount
  currency: string
  methodKey: string
  reason: string
  createdBy: string
  createdAt: number
  /** amount that was sent back, in a coin in which the order was paid; null if nobody recorded it */
  sentAmount: string | null
  /** ID of the transaction that sent the refund */
  txId: string | null
  /** the coin that was sent back; null if nobody recorded it, or if it is the one that completed the order */
  sentAssetId: string | null
}

/** A person's statement about the money that they sent back. */
export type SentRefund = Pick<Refund, 'sentAmount' | 'txId' | 'sentAssetId'>

/** True for paid orders with a transaction: forced orders have none. */
export const isRefundable = (order: Order): boolean => order.status === 'PAID' && order.transactionId !== null

/** The assets and currencies in which an order was paid: first the one that completed it. */
export const paidAssets = (
  { receivedCurrency }: Pick<Transaction, 'receivedCurrency'>,
  payments: readonly IncomingPayment[],
): string[] => [
  ...new Set([receivedCurrency, ...payments.filter(one => one.settles).map(({ assetId }) => assetId)]),
]

type Refundable = Pick<Transaction, 'amount' | 'currency'> & Refunded

const refundedMinor = ({ refundedAmount, currency }: Refundable): bigint =>
  refundedAmount === null ? 0n : minorOf(refundedAmount, currency)

interface RefundStep {
  amount: Amount
  /** new totals of the order and the transaction */
  refunded: Refunded
  status: Transaction['status']
}

/**
 * Applies a refund to a transaction. `requested` is an amount, or null for everything that remains. If
 * nothing remains, a request without an amount is refused as order_not_refundable, and one with an amount as
 * refund_exceeds_remaining.
 */
export function refund(transaction: Refundable, requested: Amount | null, now: number): RefundStep {
  const { currency } = transaction
  const before = refundedMinor(transaction)
  const remaining = minorOf(transaction.amount, currency) - before
  if (requested === null && remaining === 0n) {
    throw new Refusal('order_not_refundable', 'This order has already been refunded in full.')
  }
  const minor = requested === null ? remaining : minorOf(requested, currency)
  assert(minor > 0n, 'a refund is positive')
  if (minor > remaining) {
    const left = amountOf(remaining, currency)
    throw new Refusal('refund_exceeds_remaining', `Only ${left} ${currency} can still be refunded.`)
  }
  const isFull = minor === remaining
  // An earlier refund has a later date if the clock was ahead when it was recorded.
  const lastRefundedAt = Math.max(now, transaction.lastRefundedAt ?? now)
  return {
    amount: amountOf(minor, currency),
    refunded: {
      refundStatus: isFull ? 'FULL' : 'PARTIAL',
      refundedAmount: amountOf(before + minor, currency),
      refundCount: transaction.refundCount + 1,
      lastRefundedAt,
      refundedAt: isFull ? lastRefundedAt : null,
    },
    status: isFull ? 'REFUNDED' : 'PARTIALLY_REFUNDED',
  }
}
