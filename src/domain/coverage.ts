import type { Attempt } from './attempt.ts'
import { type AttemptPayments, type Timing, timingsOf } from './grace.ts'
import { minorOf } from './money.ts'
import type { Order } from './order.ts'
import type { IncomingPayment } from './payment.ts'
import { VALUE_UNIT, valueAt } from './quote.ts'

type PaymentTimes = Pick<IncomingPayment, 'minedAt' | 'seen' | 'paidAt' | 'height'>

/** True if a payment is in a block whose time cannot be read. */
export const isUndated = ({ minedAt, height }: Pick<PaymentTimes, 'minedAt' | 'height'>): boolean =>
  minedAt === null && height !== null

/**
 * When to value the late part of a payment: at the time of its block, or when it was last reported. If the
 * block has no time, the first check that saw it counts, so that nobody gains from waiting.
 */
export const valuedAt = (payment: PaymentTimes): number =>
  payment.minedAt ?? (isUndated(payment) ? payment.paidAt : (payment.seen.at(-1)?.at ?? payment.paidAt))

/** True if a provider reported it only in a status look-up, which lacks the buyer's transaction. */
const isStatusOnly = (attempt: Attempt, { txIn }: IncomingPayment): boolean =>
  attempt.provider !== null && txIn === null

/**
 * Sums what arrived at least. A status look-up may report the last payment or the total, so it is never added
 * to other reports.
 */
class ReceivedSum {
  #reported = 0n
  #status = 0n

  constructor(private readonly attempt: Attempt) {}

  get sum(): bigint {
    return this.#reported > this.#status ? this.#reported : this.#status
  }

  /** Returns the increase of the sum. */
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
 * Everything that the credit of an order depends on. Values are in units of 1 / VALUE_UNIT of a minor unit.
 */
interface OrderPayments {
  order: Pick<Order, 'amount' | 'currency'>
  attempts: readonly AttemptPayments[]
  /** price of a payment's coin at `valuedAt`; null if unknown */
  rateOf(incoming: IncomingPayment): string | null
  decimalsOf(assetId: string): number | null
  /** true if payments in this other coin count at the attempt's address */
  countsOther(attempt: Attempt, assetId: string): boolean
  /** true if the merchant resolved the payment, for example sent it back: it never counts again */
  isHandled(incoming: IncomingPayment): boolean
  /** true if late payments wait for the merchant's decision */
  asksLate: boolean
  now: number
}

export interface PaymentCredit {
  payment: IncomingPayment
  /** the part that counts at the quoted rate, atomic */
  inTime: bigint
  /** what the late part counts; null if the merchant decides */
  rest: bigint | null
  /** value of the whole payment when it arrived; null if unknown */
  value: bigint | null
  /** the price used for the late part; null if all of it was in time, or no price is known */
  rate: string | null
  isLate: boolean
}

export interface AttemptCredit {
  attempt: Attempt
  payments: readonly PaymentCredit[]
  /** when the grace ends, as known now */
  graceEnd: number
}

/** Value of an amount of the attempt's coin at its quoted rate. */
export const lockedValue = ({ priced, dueAtomic }: Attempt, currency: string, atomic: bigint): bigint =>
  atomic === 0n ? 0n : (atomic * minorOf(priced, currency) * VALUE_UNIT) / dueAtomic

/**
 * A payment that is in time only because the chain was blind keeps the quoted rate if its value is at least
 * this percentage.
 */
const EXTENDED_PERCENT = 95n

/** Values every payment of an order, except those that left their chain or were resolved by the merchant. */
export function creditsOf(about: OrderPayments): AttemptCredit[] {
  const timings = timingsOf(about.order, about.attempts, about.now)
  return about.attempts.map(({ attempt, payments }) => ({
    attempt,
    graceEnd: timings.graceEnd(attempt),
    payments: payments
      .filter(payment => payment.state !== 'gone' && !about.isHandled(payment))
      .filter(({ id }) => !timings.of.get(id)?.isStale)
      .map(payment => creditOf(about, attempt, payment, timings.of.get(payment.id))),
  }))
}

function creditOf(
  about: OrderPayments,
  attempt: Attempt,
  payment: IncomingPayment,
  timing: Timing | undefined,
): PaymentCredit {
  const isOwn = payment.assetId === attempt.assetId
  if (attempt.kind === 'redirect' && isOwn) return pageCredit(about, attempt, payment)
  if (!isOwn) return otherCredit(about, attempt, payment, timing)
  const { currency } = about.order
  const rate = timing?.inTime === payment.amountAtomic ? null : about.rateOf(payment)
  const worth = (atomic: bigint) => (rate === null ? null : valueAt(atomic, attempt.decimals, rate, currency))
  const { inTime: plain = 0n, extended = 0n } = timing ?? {}
  const inTime = keepsRate(worth(extended), lockedValue(attempt, currency, extended))
    ? plain + extended
    : plain
  const locked = lockedValue(attempt, currency, inTime)
  const late = payment.amountAtomic - inTime
  if (late === 0n) return { payment, inTime, rest: 0n, value: locked, rate: null, isLate: false }
  const more = worth(late)
  const rest = about.asksLate || payment.paidAt > attempt.watchUntil ? null : more
  return { payment, inTime, rest, value: more === null ? null : locked + more, rate, isLate: true }
}

/** Another coin than the attempt asked for never has a quoted rate. */
function otherCredit(
  about: OrderPayments,
  attempt: Attempt,
  payment: IncomingPayment,
  timing: Timing | undefined,
): PaymentCredit {
  const { assetId, amountAtomic, paidAt } = payment
  const decimals = about.decimalsOf(assetId)
  const rate = about.rateOf(payment)
  const value =
    rate === null || decimals === null ? null : valueAt(amountAtomic, decimals, rate, about.order.currency)
  const isLate = timing !== undefined && timing.inTime + timing.extended < amountAtomic
  const isAsked = paidAt > attempt.watchUntil || (isLate && about.asksLate)
  const rest = isAsked || !about.countsOther(attempt, assetId) ? null : value
  return { payment, inTime: 0n, rest, value, rate, isLate }
}

/** True if a payment that is in time only because the chain was blind counts at the quoted rate. */
const keepsRate = (value: bigint | null, locked: bigint): boolean =>
  value !== null && value * 100n >= locked * EXTENDED_PERCENT

/** A provider's page has no lock: payments within its watch count at the quoted rate. */
function pageCredit({ order }: OrderPayments, attempt: Attempt, payment: IncomingPayment): PaymentCredit {
  const { amountAtomic, paidAt } = payment
  const isWatched = paidAt <= attempt.watchUntil
  return {
    payment,
    inTime: isWatched ? amountAtomic : 0n,
    rest: isWatched ? 0n : null,
    value: lockedValue(attempt, order.currency, amountAtomic),
    rate: null,
    isLate: paidAt > attempt.lockedUntil,
  }
}

const isFinal = ({ payment }: PaymentCredit): boolean => payment.state === 'final'

/** Sums the credit of an attempt's payments: by default, of all final ones. */
export function creditedBy(
  { attempt, payments }: AttemptCredit,
  currency: string,
  includes: (credit: PaymentCredit) => boolean = isFinal,
): bigint {
  const some = payments.filter(includes)
  const sum = new ReceivedSum(attempt)
  for (const { payment, inTime } of some) sum.add(payment, inTime)
  const inTime = lockedValue(attempt, currency, sum.sum)
  if (attempt.kind === 'redirect') {
    const whole = minorOf(attempt.priced, currency) * VALUE_UNIT
    const isWhole = sum.sum >= attempt.thresholdAtomic && sum.sum > 0n
    return (isWhole && whole > inTime ? whole : inTime) + othersOf(attempt, some)
  }
  const late = some.filter(({ payment }) => payment.assetId === attempt.assetId)
  let credited = inTime + othersOf(attempt, some)
  for (const { payment, rest, inTime: locked } of late.toSorted(byTime)) {
    const atomic = payment.amountAtomic - locked
    if (rest === null || atomic === 0n) continue
    credited += (rest * sum.add(payment, atomic)) / atomic
  }
  return credited
}

/** Credit of coins that the attempt did not ask for. */
const othersOf = (attempt: Attempt, payments: readonly PaymentCredit[]): bigint =>
  payments.reduce(
    (sum, { payment, rest }) => sum + (payment.assetId === attempt.assetId ? 0n : (rest ?? 0n)),
    0n,
  )

const byTime = ({ payment: one }: PaymentCredit, { payment: other }: PaymentCredit): number =>
  valuedAt(one) - valuedAt(other) || (`${one.source} ${one.txId}` < `${other.source} ${other.txId}` ? -1 : 1)

/** Value of the part of a payment that waits for the merchant's decision; null if unknown. */
export function awaitedOf(
  attempt: Attempt,
  currency: string,
  { rest, value, inTime }: PaymentCredit,
): bigint | null {
  if (rest !== null) return 0n
  return value === null ? null : value - lockedValue(attempt, currency, inTime)
}

/** Value of all parts that wait for the merchant's decision; null if one is unknown. */
export function awaitedBy({ attempt, payments }: AttemptCredit, currency: string): bigint | null {
  let sum = 0n
  for (const credit of payments) {
    const awaited = awaitedOf(attempt, currency, credit)
    if (awaited === null) return null
    sum += awaited
  }
  return sum
}
