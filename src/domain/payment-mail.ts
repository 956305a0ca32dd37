import type { Attempt } from './attempt.ts'
import type { BuyerMail } from './buyer-mail.ts'
import { type Amount, minorOf } from './money.ts'
import type { Order } from './order.ts'

/**
 * What a mail to a buyer is about: a part of the amount arrived, a payment settles nothing, a payment was
 * more than was due, a refund was recorded, a detected payment vanished from its chain.
 */
export type PaymentMailKind = 'part' | 'unmatched' | 'overpaid' | 'refund' | 'vanished'

/** A mail to a buyer about what happened to a payment. Its facts are read when it is sent. */
export interface PaymentMail extends Omit<BuyerMail, 'kind' | 'mailbox' | 'createdAt'> {
  kind: PaymentMailKind
  /** of the address, in the spelling in which mails to it are counted */
  mailboxHash: string
  /** how often something happened that the mail is about */
  news: number
  /** when it is to be sent first */
  dueAt: number
}

const MINUTE_MS = 60_000

/** The time between two mails of a kind about an order. What happens meanwhile comes in one mail. */
const APART_MS = 10 * MINUTE_MS

/** How long a payment has to be gone: endpoints may disagree about a mempool for a while. */
export const VANISHED_MS = 10 * MINUTE_MS

/** Refunds are recorded by merchants, and mails about payments cannot use up what may be sent of them. */
const MAILS_OF_ORDER_MAX = 5

/** Anyone can order in the name of an address, and unconfirmed payments cost nothing. */
export const MAILS_TO_ADDRESS_MAX = 10
export const MAILS_TO_ADDRESS_IN_MS = 60 * MINUTE_MS

const isRefund = ({ kind }: Pick<PaymentMail, 'kind'>): boolean => kind === 'refund'

/**
 * When a mail of a kind is sent, given the other mails of its order that were sent or are to be sent; null if
 * there were too many.
 */
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

/** The least share of an order about which a mail is sent, as a divisor: nobody floods a buyer with dust. */
const SHARES = 100n

/** Whether an amount of the coin that an attempt asks for is enough for a mail. */
export const isWorthMail = ({ dueAtomic }: Pick<Attempt, 'dueAtomic'>, atomic: bigint): boolean =>
  atomic * SHARES >= dueAtomic

/** Whether so much more than was due arrived at an address that the buyer may want it back. */
export const hasExcess = ({
  kind,
  dueAtomic,
  confirmedAtomic,
}: Pick<Attempt, 'kind' | 'dueAtomic' | 'confirmedAtomic'>): boolean =>
  kind === 'address' && confirmedAtomic > dueAtomic && isWorthMail({ dueAtomic }, confirmedAtomic - dueAtomic)

/** Whether a value is enough for a mail. One that is not known may be. */
export const isValueWorthMail = (
  { amount, currency }: Pick<Order, 'amount' | 'currency'>,
  value: Amount | null,
): boolean => value === null || minorOf(value, currency) * SHARES >= minorOf(amount, currency)
