import type { Amount } from './money.ts'

export type UnmatchedReason =
  | 'wrong_asset'
  | 'underpaid'
  | 'late'
  | 'second_payment'
  | 'order_closed'
  | 'too_late'

/** A payment that settles nothing: kept with its evidence until the merchant has dealt with it. */
export interface UnmatchedPayment {
  id: string
  merchantId: string
  orderId: string
  attemptId: string
  incomingPaymentId: string
  reason: UnmatchedReason
  status: 'open' | 'resolved' | 'accepted'
  /** what it was worth in the order's currency when it arrived; null if that is unknown */
  value: Amount | null
  /** what it leaves unpaid of the order if it counts; null if nothing, or if the order is paid or closed */
  shortfall: Amount | null
  /** what the merchant wrote when they resolved or accepted it */
  note: string | null
  /** who resolved or accepted it; null while it is open, or if a later payment completed it */
  decidedBy: string | null
  createdAt: number
  updatedAt: number
}

/** What a merchant decided about an unmatched payment. */
export type UnmatchedDecision = Pick<UnmatchedPayment, 'note' | 'decidedBy' | 'updatedAt'>
