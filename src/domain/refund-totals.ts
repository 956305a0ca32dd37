import type { Amount } from './money.ts'

export type RefundStatus = 'PARTIAL' | 'FULL'

/** Refund totals of an order or its transaction. */
export interface Refunded {
  refundStatus: RefundStatus | null
  refundedAmount: Amount | null
  refundCount: number
  lastRefundedAt: number | null
  /** when the order was refunded in full; null if it was not */
  refundedAt: number | null
}

export const notRefunded: Refunded = {
  refundStatus: null,
  refundedAmount: null,
  refundCount: 0,
  lastRefundedAt: null,
  refundedAt: null,
}
