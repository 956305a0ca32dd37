import type { Attempt } from './attempt.ts'
import type { Amount } from './money.ts'
import type { IncomingPayment } from './payment.ts'
import type { Refund } from './refund.ts'
import type { UnmatchedReason } from './settlement.ts'

/** A payment, with what it was worth in the order's currency when it arrived; null if that is unknown. */
export interface ValuedPayment {
  attempt: Attempt
  payment: IncomingPayment
  value: Amount | null
}

/** The content of a mail about a payment. Payments and refunds are there, oldest first. */
export type PaymentNews =
  | { kind: 'part'; payments: ValuedPayment[]; left: Amount }
  /** payments that settle nothing, and wait for the merchant's decision */
  | { kind: 'unmatched'; payments: (ValuedPayment & { reason: UnmatchedReason })[] }
  | { kind: 'overpaid'; attempt: Attempt }
  /** whether the provider that took the payment pays the refunds back */
  | { kind: 'refund'; refunds: Refund[]; isPaidBack: boolean }
  | { kind: 'vanished'; payments: ValuedPayment[]; left: Amount }
