import type { Asset } from '../../domain/asset.ts'
import type { Attempt, Progress } from '../../domain/attempt.ts'
import type { OrderPayments } from '../../domain/coverage.ts'
import type { AttemptPayments } from '../../domain/grace.ts'
import type { UnmatchedFacts } from '../../domain/notification-facts.ts'
import type { OrderStatus, PaymentState } from '../../domain/order.ts'
import type { IncomingPayment } from '../../domain/payment.ts'
import type { UnmatchedEventFacts, UnmatchedPayment } from '../../domain/settlement.ts'
import type { Paying } from '../../domain/settlement-outcome.ts'
import type { Settlement } from '../../domain/transaction.ts'
import type { PaymentEventType } from '../../domain/webhook.ts'
import type { OrderWithSession } from '../../storage/port.ts'
import type { PaymentChange } from '../incoming/merge.ts'
import type { Forwarding, News } from '../incoming/moved.ts'

/** All data that decisions about the payments of one order depend on, at one time. */
export interface Case extends OrderWithSession, Omit<OrderPayments, 'order' | 'isHandled'> {
  /** the rows of unmatched payments */
  unmatched: readonly UnmatchedPayment[]
  /** the settlement that paid the order; null if the order is unpaid or was forced */
  settlement: Pick<Settlement, 'attemptId' | 'verdict'> | null
  /** Returns true for a payment at a shared address that another attempt already has. */
  isClaimed(incoming: IncomingPayment): boolean
  /** Returns the amount of an attempt's payments that was refunded or is disputed, and so pays nothing. */
  takenBackOf(of: AttemptPayments): bigint
  assetOf(id: string): Asset | undefined
}

/** Unmatched payments that the merchant accepts as payment of the order. */
export interface Acceptance {
  /** the IDs of unmatched payments */
  ids: ReadonlySet<string>
  /** the person who accepts them */
  by: string
  reason: string | null
}

/** A reason for a decision that is not in the rows of an order. */
export interface Occasion {
  /** the attempt about which an upstream has reported */
  reported?: string
  /** true if the payment of that attempt has failed for good */
  hasFailed?: boolean
  /** true if the page of that attempt is over: the buyer needs a new page */
  isPageOver?: boolean
  /** true if the merchant ends the order */
  isEnded?: boolean
  accepted?: Acceptance
}

/** The state of an order after a decision about it. */
export interface Outcome {
  status: OrderStatus
  /** the payment that the decision makes; null if it makes none */
  paying: Paying | null
  /** the attempt that its provider has just reported as failed */
  failed: Attempt | null
  /** the ID of the attempt whose page is over; null if none was reported */
  pageOver: string | null
  accepted: Acceptance | null
  /** Returns true for a payment that is part of the order's settlement. */
  settles(incoming: IncomingPayment): boolean
}

/** Returns true for an order that no payment changes any more. An expired order can still be paid. */
export const isClosed = (status: OrderStatus): boolean => status !== 'UNPAID' && status !== 'EXPIRED'

/** One change of a decision. All changes are applied in their order, in one write. */
export type Change =
  | PaymentChange
  | News
  | Forwarding
  | { do: 'change attempt'; attempt: Attempt; change: Partial<Progress> }
  | { do: 'pay'; paying: Paying }
  | { do: 'close'; trigger: 'expire' | 'fail'; expiresAt: number; paymentState: PaymentState | null }
  | { do: 'set payment state'; paymentState: PaymentState | null }
  | {
      do: 'add unmatched'
      row: Omit<UnmatchedPayment, 'id'>
      facts: UnmatchedFacts
      event: UnmatchedEventFacts
    }
  | { do: 'change unmatched'; id: string; change: Partial<UnmatchedPayment> }
  | { do: 'record event'; type: Exclude<PaymentEventType, 'payment.paid'>; attempt: Attempt }
