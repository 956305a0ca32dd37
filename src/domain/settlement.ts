import type { Amount } from './money.ts'

export type UnmatchedReason =
  | 'wrong_asset'
  | 'underpaid'
  | 'late'
  | 'second_payment'
  | 'order_closed'
  | 'too_late'

/** An incoming payment that settles nothing. Stored with its evidence until the merchant decides. */
export interface UnmatchedPayment {
  id: string
  merchantId: string
  orderId: string
  attemptId: string
  incomingPaymentId: string
  reason: UnmatchedReason
  status: 'open' | 'resolved' | 'accepted'
  /** value on arrival in the order's currency; null if unknown */
  value: Amount | null
  /**
   * the amount that the order would still lack if the payment counted; null if nothing, or if the order is
   * paid or closed
   */
  shortfall: Amount | null
  /** the merchant's note about the decision */
  note: string | null
  /** person who resolved or accepted the payment; null while open, or if a later payment completed it */
  decidedBy: string | null
  createdAt: number
  updatedAt: number
}

/** The details of a payment that settles nothing, as an event reports them. */
export interface UnmatchedEventFacts
  extends Pick<UnmatchedPayment, 'attemptId' | 'reason' | 'value' | 'shortfall'> {
  methodKey: string
  /** the received amount, a decimal; null if the decimals of the asset are unknown */
  receivedAmount: string | null
  /** the asset that arrived, or a currency if a provider names one */
  receivedCurrency: string
  /** null for small payments that were joined into one */
  txId: string | null
}

export type UnmatchedDecision = Pick<UnmatchedPayment, 'note' | 'decidedBy' | 'updatedAt'>
