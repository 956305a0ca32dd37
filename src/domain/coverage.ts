import { type Attempt, ROUNDED } from './attempt.ts'
import { type AttemptPayments, type Timing, timingsOf } from './grace.ts'
import { ceilDiv, minorOf } from './money.ts'
import type { Order } from './order.ts'
import type { IncomingPayment } from './payment.ts'
import { VALUE_UNIT, valueAt } from './quote.ts'

type PaymentTimes = Pick<IncomingPayment, 'minedAt' | 'seen' | 'paidAt' | 'height'>

/** Returns true for a payment in a block whose time cannot be read. */
export const isUndated = ({ minedAt, height }: Pick<PaymentTimes, 'minedAt' | 'height'>): boolean =>
  minedAt === null && height !== null

/**
 * The time whose rate values a late payment: the time of its block, or of the last report if it is in no
 * block. If the time of its block is unknown, the first report of the payment counts, so that nobody gains
 * from waiting.
 */
export const valuedAt = (payment: PaymentTimes): number =>
  payment.minedAt ?? (isUndated(payment) ? payment.paidAt : (payment.seen.at(-1)?.at ?? payment.paidAt))

/** Returns true if only a status look-up reported a payment: such a report lacks the buyer's transaction. */
const isStatusOnly = (attempt: Attempt, { txIn }: IncomingPayment): boolean =>
  attempt.provider !== null && txIn === null

/**
 * Adds up the least amount that must have arrived. A status look-up may report the last payment or the total,
 * so it is never added to other reports.
 */
class ReceivedSum {
  #reported = 0n
  #status = 0n

  constructor(private readonly attempt: Attempt) {}

  get sum(): bigint {
    return this.#reported > this.#status ? this.#reported : this.#status
  }

  /** Adds a payment. Returns the increase of the sum. */
  add(incoming: IncomingPayment, atomic = incoming.amountAtomic): bigint {
    const before = this.sum
    if (!isStatusOnly(this.attempt, incoming)) this.#reported += atomic
    else if (atomic > this.#status) this.#status = atomic
    return this.sum - before
  }
}

export function arrived(attempt: Attempt, incomingPayments: readonly IncomingPayment[]): bigint {
  const sum = new ReceivedSum(attempt)
  for (const incoming of incomingPayments) sum.add(incoming)
  return sum.sum
}

/**
 * The payments of an order, and the facts that value them. Values are in units of 1 / VALUE_UNIT minor units.
 */
export interface OrderPayments {
  order: Pick<Order, 'amount' | 'currency'>
  attempts: readonly AttemptPayments[]
  /** price of a payment's coin at `valuedAt`; null if unknown */
  rateOf(incoming: IncomingPayment): string | null
  /** Returns the asset with this ID; undefined if it is unknown. */
  assetOf(assetId: string): { decimals: number } | undefined
  /**
   * Returns true if a coin that was not asked for counts at the attempt's address: the merchant offers it,
   * and can sweep it there.
   */
  countsOther(attempt: Attempt, assetId: string): boolean
  /**
   * Returns true if the merchant has dealt with a payment, for example sent it back. It never counts again.
   */
  isHandled(incoming: IncomingPayment): boolean
  /** true if late payments wait for the merchant's decision */
  asksLate: boolean
  now: number
}

/** The value of one payment to its order. */
export interface PaymentCredit {
  payment: IncomingPayment
  /** the part that counts at the quoted rate, atomic */
  inTime: bigint
  /** the value of the rest; null if the merchant decides about it */
  rest: bigint | null
  /** the value that waits for the merchant's decision: 0 if nothing waits, null if unknown */
  awaited: bigint | null
  /** the value of the whole payment when it arrived; null if unknown */
  value: bigint | null
  /** the price used for the rest; null if there is no rest, or no price is used or known */
  rate: string | null
  isLate: boolean
}

/** An attempt, and what its payments are worth to its order. */
export interface AttemptCredit extends AttemptPayments {
  /**
   * credits of the payments that can count: not of payments that left their chain, that the merchant handled,
   * or that were not mined soon enough
   */
  credits: readonly PaymentCredit[]
  /** payments in the coin that was asked for, seen so long ago that they count only once they are mined */
  unmined: readonly IncomingPayment[]
  /** the end of the grace, as known now */
  graceEnd: number
  /** the value that the attempt was opened for */
  whole: bigint
  /** the least that counts as the whole amount on a provider's page, atomic */
  threshold: bigint
}

type Quote = Pick<AttemptCredit, 'attempt' | 'whole'>

/** The value of an amount of the attempt's coin at its quoted rate. */
const lockedValue = ({ attempt: { dueAtomic }, whole }: Quote, atomic: bigint): bigint =>
  atomic === 0n ? 0n : (atomic * whole) / dueAtomic

/** Values every payment of an order that can count. */
export function creditsOf(about: OrderPayments): AttemptCredit[] {
  const timings = timingsOf(about.order, about.attempts, about.now)
  return about.attempts.map(({ attempt, payments }) => {
    const quote = { attempt, whole: minorOf(attempt.priced, about.order.currency) * VALUE_UNIT }
    const there = payments.filter(payment => payment.state !== 'gone' && !about.isHandled(payment))
    const isStale = ({ id }: IncomingPayment) => timings.of.get(id)?.isStale === true
    return {
      ...quote,
      payments,
      credits: there
        .filter(payment => !isStale(payment))
        .map(payment => creditOf(about, quote, payment, timings.of.get(payment.id))),
      unmined: there.filter(payment => isStale(payment) && payment.assetId === attempt.assetId),
      graceEnd: timings.graceEnd(attempt),
      threshold: attempt.thresholdAtomic,
    }
  })
}

function creditOf(
  about: OrderPayments,
  quote: Quote,
  payment: IncomingPayment,
  timing: Timing | undefined,
): PaymentCredit {
  const { attempt } = quote
  if (payment.assetId !== attempt.assetId) return otherCredit(about, attempt, payment, timing)
  if (attempt.kind === 'redirect') return pageCredit(quote, payment)
  return ownCredit(about, quote, payment, timing)
}

/**
 * An amount that is in time only because the chain could not be read keeps its quoted rate as long as its
 * current value is at least this percentage of its value at the quoted rate.
 */
const EXTENDED_PERCENT = 95n

/**
 * Credits a payment to an address in the coin that was asked for. The part that is in time counts at the
 * quoted rate.
 */
function ownCredit(
  { order: { currency }, rateOf, ...about }: OrderPayments,
  quote: Quote,
  payment: IncomingPayment,
  { inTime: plain, extended }: Timing = { inTime: 0n, extended: 0n, isStale: false },
): PaymentCredit {
  const { attempt } = quote
  const { amountAtomic, paidAt } = payment
  const rate = plain === amountAtomic ? null : rateOf(payment)
  const worth = (atomic: bigint) => (rate === null ? null : valueAt(atomic, attempt.decimals, rate, currency))
  const value = worth(extended)
  const isKept = value !== null && value * 100n >= lockedValue(quote, extended) * EXTENDED_PERCENT
  const inTime = isKept ? plain + extended : plain
  const locked = lockedValue(quote, inTime)
  const credit = { payment, inTime }
  if (inTime === amountAtomic)
    return { ...credit, rest: 0n, awaited: 0n, value: locked, rate: null, isLate: false }
  const more = worth(amountAtomic - inTime)
  const isAsked = about.asksLate || paidAt > attempt.watchUntil
  const rest = isAsked && !payment.counts ? null : more
  const awaited = rest === null ? more : 0n
  return { ...credit, rest, awaited, value: more === null ? null : locked + more, rate, isLate: true }
}

/** Credits a payment in a coin that the attempt did not ask for. Such a coin never has a quoted rate. */
function otherCredit(
  { order, rateOf, assetOf, countsOther, asksLate }: OrderPayments,
  attempt: Attempt,
  payment: IncomingPayment,
  timing: Timing | undefined,
): PaymentCredit {
  const { assetId, amountAtomic, paidAt } = payment
  const asset = assetOf(assetId)
  const rate = rateOf(payment)
  const value =
    rate === null || asset === undefined ? null : valueAt(amountAtomic, asset.decimals, rate, order.currency)
  const isLate = timing !== undefined && timing.inTime + timing.extended < amountAtomic
  const isAsked = paidAt > attempt.watchUntil || (isLate && asksLate) || !countsOther(attempt, assetId)
  const rest = isAsked && !payment.counts ? null : value
  return { payment, inTime: 0n, rest, awaited: rest === null ? value : 0n, value, rate, isLate }
}

/**
 * Credits a payment on a provider's page. A page has no lock: a payment that arrives while the page is
 * watched counts at the quoted rate. An order has expired at the moment of its expiry, so a payment at that
 * moment is late.
 */
function pageCredit(quote: Quote, payment: IncomingPayment): PaymentCredit {
  const { amountAtomic, paidAt } = payment
  const { lockedUntil, watchUntil } = quote.attempt
  const value = lockedValue(quote, amountAtomic)
  const isLate = paidAt >= lockedUntil
  const credit = { payment, value, rate: null, isLate }
  if (paidAt <= watchUntil) return { ...credit, inTime: amountAtomic, rest: 0n, awaited: 0n }
  return payment.counts
    ? { ...credit, inTime: 0n, rest: value, awaited: 0n }
    : { ...credit, inTime: 0n, rest: null, awaited: value }
}

const isFinal = ({ payment }: PaymentCredit): boolean => payment.state === 'final'

/**
 * The value that an attempt's payments add to its order. Counts the payments that `includes` selects, by
 * default the final ones.
 */
export function creditedBy(
  of: AttemptCredit,
  includes: (credit: PaymentCredit) => boolean = isFinal,
): bigint {
  const { attempt, credits, whole, threshold } = of
  const some = credits.filter(includes)
  const sum = new ReceivedSum(attempt)
  for (const { payment, inTime } of some) sum.add(payment, inTime)
  const isWhole = attempt.kind === 'redirect' && sum.sum >= threshold && sum.sum > 0n
  let credited = lockedValue(of, sum.sum)
  if (isWhole && whole > credited) credited = whole
  for (const { payment, rest, inTime } of some.toSorted(byTime)) {
    const atomic = payment.amountAtomic - inTime
    if (rest === null || atomic === 0n) continue
    const isOwn = payment.assetId === attempt.assetId
    credited += isOwn ? (rest * sum.add(payment, atomic)) / atomic : rest
  }
  return credited
}

const byTime = ({ payment: one }: PaymentCredit, { payment: other }: PaymentCredit): number =>
  valuedAt(one) - valuedAt(other) || (`${one.source} ${one.txId}` < `${other.source} ${other.txId}` ? -1 : 1)

/** The value that waits for the merchant's decision; null if the value of a payment is unknown. */
export const awaitedBy = (credits: readonly PaymentCredit[]): bigint | null =>
  credits.reduce<bigint | null>(
    (sum, { awaited }) => (sum === null || awaited === null ? null : sum + awaited),
    0n,
  )

/**
 * Rounds a value up to a multiple of `ROUNDED`. Parts that were rounded down then add up to the whole: three
 * thirds of a price are the price.
 */
export const wholeAgain = (value: bigint): bigint => ceilDiv(value, ROUNDED) * ROUNDED
