import type { Amount } from './money.ts'
import type { RefundStatus } from './order.ts'

/** What was given back so far of an order, or of its transaction. */
export interface Refunded {
  refundStatus: RefundStatus | null
  refundedAmount: Amount | null
  refundCount: number
  lastRefundedAt: number | null
  /** when all of it was refunded */
  refundedAt: number | null
}

export const notRefunded: Refunded = {
  refundStatus: null,
  refundedAmount: null,
  refundCount: 0,
  lastRefundedAt: null,
  refundedAt: null,
}

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
