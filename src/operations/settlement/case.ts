import type { Asset } from '../../domain/asset.ts'
import type { Attempt, Progress } from '../../domain/attempt.ts'
import type { OrderPayments } from '../../domain/coverage.ts'
import type { NotificationFacts } from '../../domain/notification-facts.ts'
import type { OrderStatus, PaymentState } from '../../domain/order.ts'
import type { IncomingPayment } from '../../domain/payment.ts'
import type { PaymentMailKind } from '../../domain/payment-mail.ts'
import type { UnmatchedPayment } from '../../domain/settlement.ts'
import type { SettlementOutcome } from '../../domain/settlement-outcome.ts'
import type { Settlement, Transaction } from '../../domain/transaction.ts'
import type { EventType } from '../../domain/webhook.ts'
import type { OrderWithSession } from '../../storage/port.ts'

/** Everything that the money of one order depends on, at one time. */
export interface Case extends OrderWithSession, Omit<OrderPayments, 'order' | 'isHandled'> {
  /** what was recorded as unmatched so far */
  unmatched: readonly UnmatchedPayment[]
  /** how the order was paid; null if it was not, or was forced */
  settlement: Pick<Settlement, 'attemptId' | 'verdict'> | null
  /** Whether a payment at an address that several buyers share already belongs to another attempt. */
  isClaimed(incoming: IncomingPayment): boolean
  assetOf(id: string): Asset | undefined
}

/** What the merchant accepted. */
export interface Acceptance {
  /** the IDs of unmatched payments */
  ids: ReadonlySet<string>
  by: string
  reason: string | null
}

/** What has just happened to an order, besides what its rows say. */
export interface Occasion {
  /** the attempt about which an upstream has reported */
  reported?: string
  /** its payment has failed for good */
  hasFailed?: boolean
  /** the merchant ends the order */
  isEnded?: boolean
  accepted?: Acceptance
}

/** How an order is paid. */
export interface Paying {
  /** the attempt that completed it */
  attempt: Attempt
  payments: IncomingPayment[]
  received: Pick<Transaction, 'receivedAmount' | 'receivedCurrency'>
  settlement: Pick<Settlement, 'verdict' | 'rule' | 'evidence'>
  outcome: SettlementOutcome
  /** what arrived through the page that completed it, where that shows what its method usually keeps */
  pageShare: number | null
  /** what the completing attempt received in its own coin, atomic */
  confirmedAtomic: bigint
  /** whether more arrived than the order asked for */
  isOver: boolean
  /** what counts, in units of value, and the part of it that was late */
  settled: bigint
  lateValue: bigint
}

/** How an order is after a decision about it. */
export interface Outcome {
  status: OrderStatus
  /** how it has just been paid */
  paying: Paying | null
  /** the attempt that its provider has just said to have failed */
  failed: Attempt | null
  accepted: Acceptance | null
  /** Whether a payment is part of what paid the order. */
  settles(incoming: IncomingPayment): boolean
}

/** Whether no payment changes the order any more. An expired order can still be paid. */
export const isClosed = (status: OrderStatus): boolean => status !== 'UNPAID' && status !== 'EXPIRED'

/** What a report changes about the payments of an attempt. */
export type PaymentChange =
  | { do: 'add payment'; payment: IncomingPayment }
  | { do: 'change payment'; id: string; change: Partial<IncomingPayment> }

/** One thing to change. Applied in their order, in one write. */
export type Change =
  | PaymentChange
  | { do: 'change attempt'; attempt: Attempt; change: Partial<Progress> }
  | { do: 'pay'; paying: Paying }
  | { do: 'close'; as: 'expire' | 'fail'; expiresAt: number }
  | { do: 'set payment state'; paymentState: PaymentState | null }
  /** the transaction that moved on what paid the order */
  | { do: 'set outgoing transaction'; txOut: string; transactionId: string }
  | { do: 'add unmatched'; row: Omit<UnmatchedPayment, 'id'>; facts: UnmatchedFacts }
  | { do: 'change unmatched'; id: string; change: Partial<UnmatchedPayment> }
  | { do: 'record event'; type: Exclude<EventType, 'order.paid' | 'payment.paid'>; attempt: Attempt }
  | { do: 'notify'; facts: NotificationFacts }
  | { do: 'mail buyer'; kind: PaymentMailKind; attempt: Attempt }
  | { do: 'log'; level: 'warn' | 'error'; event: string; txId: string }

/** The facts of a notification about an unmatched payment that has no ID yet. */
export type UnmatchedFacts = Omit<
  Extract<NotificationFacts, { about: 'payment_unmatched' }>,
  'unmatchedId' | 'about'
>
