import { assert, Refusal } from './errors.ts'
import { type Amount, amountOf, minorOf } from './money.ts'
import type { Order } from './order.ts'
import type { Refunded } from './refund-totals.ts'
import type { Transaction } from './transaction.ts'

/** The record of a refund that was executed elsewhere. It is only ever added. */
export interface Refund {
  /** a digest of the merchant and the Idempotency-Key */
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
}

/** Whether an order was paid by a verified settlement. One that was forced has no transaction. */
export const isRefundable = (order: Order): boolean => order.status === 'PAID' && order.transactionId !== null

type Refundable = Pick<Transaction, 'amount' | 'currency'> & Refunded

const refundedMinor = ({ refundedAmount, currency }: Refundable): bigint =>
  refundedAmount === null ? 0n : minorOf(refundedAmount, currency)

interface Step {
  amount: Amount
  /** what the order and the transaction say from now on */
  refunded: Refunded
  status: Transaction['status']
}

/**
 * Takes a refund off a transaction: the amount that was asked for, or, where none was named, all that
 * remains. Of nothing nothing remains to be taken: that is the state's refusal, since no amount was too much.
 */
export function refund(transaction: Refundable, asked: Amount | null, now: number): Step {
  const { currency } = transaction
  const before = refundedMinor(transaction)
  const remaining = minorOf(transaction.amount, currency) - before
  if (asked === null && remaining === 0n) {
    throw new Refusal('order_not_refundable', 'This order has already been refunded in full.')
  }
  const minor = asked === null ? remaining : minorOf(asked, currency)
  assert(minor > 0n, 'a refund is of something')
  if (minor > remaining) {
    const left = amountOf(remaining, currency)
    throw new Refusal('refund_exceeds_remaining', `Only ${left} ${currency} can still be refunded.`)
  }
  const isFull = minor === remaining
  return {
    amount: amountOf(minor, currency),
    refunded: {
      refundStatus: isFull ? 'FULL' : 'PARTIAL',
      refundedAmount: amountOf(before + minor, currency),
      refundCount: transaction.refundCount + 1,
      lastRefundedAt: now,
      refundedAt: isFull ? now : null,
    },
    status: isFull ? 'REFUNDED' : 'PARTIALLY_REFUNDED',
  }
}
