import type { Attempt } from './attempt.ts'
import type { BuyerMail } from './buyer-mail.ts'
import { type Amount, minorOf } from './money.ts'
import type { Order } from './order.ts'
import type { Overpaid } from './overpaid.ts'

/**
 * Subject of a mail: a partial payment, a payment that settles nothing, an overpayment, a recorded refund, or
 * a detected payment that vanished from its chain.
 */
export type PaymentMailKind = 'part' | 'unmatched' | 'overpaid' | 'refund' | 'vanished'

/** A mail to a buyer about a payment. Its facts are read when it is sent. */
export interface PaymentMail extends Omit<BuyerMail, 'kind' | 'mailbox' | 'createdAt'> {
  kind: PaymentMailKind
  /** hash of the normalized address: mails are limited per mailbox */
  mailboxHash: string
  /** number of events that the mail covers */
  news: number
  /** earliest time of sending */
  dueAt: number
}

const MINUTE_MS = 60_000

/** Least time between two mails of a kind about an order. Events in between share one mail. */
const APART_MS = 10 * MINUTE_MS

/** A payment must be missing this long, because endpoints may briefly disagree about a mempool. */
export const VANISHED_MS = 10 * MINUTE_MS

/** Max mails of an order about payments, and separately about refunds, which only the merchant can cause. */
const MAILS_OF_ORDER_MAX = 5

/**
 * Max mails per address within `MAILS_TO_ADDRESS_IN_MS`: anyone can order in another's name, and unconfirmed
 * payments cost nothing.
 */
export const MAILS_TO_ADDRESS_MAX = 10
export const MAILS_TO_ADDRESS_IN_MS = 60 * MINUTE_MS

const isRefund = ({ kind }: Pick<PaymentMail, 'kind'>): boolean => kind === 'refund'

/** When to send a mail of a kind, given the order's other mails; null if there were too many. */
export function paymentMailAt(
  kind: PaymentMailKind,
  others: readonly PaymentMail[],
  now: number,
): number | null {
  const counted = others.filter(other => isRefund(other) === isRefund({ kind }))
  if (counted.length >= MAILS_OF_ORDER_MAX) return null
  const last = Math.max(0, ...counted.flatMap(other => (other.kind === kind ? [other.dueAt] : [])))
  return Math.max(kind === 'vanished' ? now + VANISHED_MS : now, last + APART_MS)
}

/** Payments below 1 / SHARES of an order send no mail, because nobody can be kept from making many. */
const SHARES = 100n

/** True if an amount of the attempt's own coin is large enough for a mail. */
export const isWorthMail = ({ dueAtomic }: Pick<Attempt, 'dueAtomic'>, atomic: bigint): boolean =>
  atomic * SHARES >= dueAtomic

/** True if an address got so much more than was due that the buyer may want it back. */
export const hasExcess = ({
  kind,
  dueAtomic,
  confirmedAtomic,
}: Pick<Attempt, 'kind' | 'dueAtomic' | 'confirmedAtomic'>): boolean =>
  kind === 'address' && confirmedAtomic > dueAtomic && isWorthMail({ dueAtomic }, confirmedAtomic - dueAtomic)

/** True if what was overpaid is large enough for a mail. */
export const isOverWorthMail = (order: Order, { attempt, coins, excess }: Overpaid): boolean =>
  coins === null ? isValueWorthMail(order, excess) : hasExcess(attempt)

/** True if a value is large enough for a mail, or unknown. */
export const isValueWorthMail = (
  { amount, currency }: Pick<Order, 'amount' | 'currency'>,
  value: Amount | null,
): boolean => value === null || minorOf(value, currency) * SHARES >= minorOf(amount, currency)
