import type { Attempt } from './attempt.ts'
import type { Amount } from './money.ts'
import type { Overpaid } from './overpaid.ts'
import type { IncomingPayment } from './payment.ts'
import type { Refund } from './refund.ts'
import type { UnmatchedReason } from './settlement.ts'

/** A payment and its value on arrival in the order's currency; null if unknown. */
export interface ValuedPayment {
  attempt: Attempt
  payment: IncomingPayment
  value: Amount | null
}

/** Content of a payment mail. Payments and refunds are oldest first. */
export type PaymentNews =
  | { kind: 'part'; payments: ValuedPayment[]; left: Amount }
  /** payments that settle nothing and wait for the merchant's decision */
  | { kind: 'unmatched'; payments: (ValuedPayment & { reason: UnmatchedReason })[] }
  | { kind: 'overpaid'; over: Overpaid }
  /** `isPaidBack` is true if the provider that took the payment sends refunds back */
  | { kind: 'refund'; refunds: Refund[]; isPaidBack: boolean }
  | { kind: 'vanished'; payments: ValuedPayment[]; left: Amount }
