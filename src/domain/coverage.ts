import type { Attempt } from './attempt.ts'
import { type AttemptPayments, type Timing, timingsOf } from './grace.ts'
import { minorOf } from './money.ts'
import type { Order } from './order.ts'
import type { IncomingPayment } from './payment.ts'
import { VALUE_UNIT, valueAt } from './quote.ts'

type Dated = Pick<IncomingPayment, 'minedAt' | 'seen' | 'paidAt' | 'height'>

/** Whether a payment is in a block whose time cannot be read. */
export const isUndated = ({ minedAt, height }: Pick<Dated, 'minedAt' | 'height'>): boolean =>
  minedAt === null && height !== null

/**
 * When the part of a payment that is late is valued: the time of its block, or when it was last reported. In
 * a block without a time, the first look at it counts, so that nobody gains from waiting.
 */
export const valuedAt = (payment: Dated): number =>
  payment.minedAt ?? (isUndated(payment) ? payment.paidAt : (payment.seen.at(-1)?.at ?? payment.paidAt))

/** Whether a provider reported it by a status look-up only: such a report lacks the buyer's transaction. */
const isStatusOnly = (attempt: Attempt, { txIn }: IncomingPayment): boolean =>
  attempt.provider !== null && txIn === null

/**
 * The least that arrived. A provider's status may report the last payment or the total of all payments, so it
 * is never added to other reports.
 */
class Arrived {
  #reported = 0n
  #status = 0n

  constructor(private readonly attempt: Attempt) {}

  get sum(): bigint {
    return this.#reported > this.#status ? this.#reported : this.#status
  }

  /** Returns by how much the sum grew. */
  add(incoming: IncomingPayment, atomic = incoming.amountAtomic): bigint {
    const before = this.sum
    if (!isStatusOnly(this.attempt, incoming)) this.#reported += atomic
    else if (atomic > this.#status) this.#status = atomic
    return this.sum - before
  }
}

export function arrived(attempt: Attempt, incomingPayments: readonly IncomingPayment[]): bigint {
  const sum = new Arrived(attempt)
  for (const incoming of incomingPayments) sum.add(incoming)
  return sum.sum
}

/** What an order's money depends on. All values are in units of 1 / VALUE_UNIT of a minor unit. */
interface OrderPayments {
  order: Pick<Order, 'amount' | 'currency'>
  /** oldest first */
  attempts: readonly AttemptPayments[]
  /** The price of a payment's coin at `valuedAt`; null if it is not known. */
  rateOf(incoming: IncomingPayment): string | null
  /** The decimals of a coin; null for one that is not known. */
  decimalsOf(assetId: string): number | null
  /** Whether another coin than was asked for counts at the attempt's address. */
  countsOther(attempt: Attempt, assetId: string): boolean
  /** Whether the merchant has dealt with a payment, for example sent it back. It never counts again. */
  isHandled(incoming: IncomingPayment): boolean
  /** Whether late payments wait for the merchant's decision. */
  asksLate: boolean
  now: number
}

/** What one payment is worth to its order, and whether it counts. */
export interface PaymentCredit {
  payment: IncomingPayment
  /** the part that counts at the quoted rate, atomic */
  inTime: bigint
  /** what the rest counts; null if the merchant decides about it */
  rest: bigint | null
  /** what all of it was worth when it arrived; null if that is not known */
  value: bigint | null
  /** the price that valued the rest; null if all of it was in time, or no price is known */
  rate: string | null
  isLate: boolean
}

/** What an attempt is worth to its order: its payments that can count. */
export interface AttemptCredit {
  attempt: Attempt
  payments: readonly PaymentCredit[]
  /** until when payments count as in time, as it is known now */
  graceEnd: number
}

/** What an amount of the attempt's coin is worth at its quoted rate. */
export const lockedValue = ({ priced, dueAtomic }: Attempt, currency: string, atomic: bigint): bigint =>
  atomic === 0n ? 0n : (atomic * minorOf(priced, currency) * VALUE_UNIT) / dueAtomic

/**
 * What was in time only because the chain could not be read keeps its rate while it is worth this
 * percentage.
 */
const EXTENDED_PERCENT = 95n

/**
 * Values every payment of an order. What has left its chain, or the merchant has dealt with, is not among
 * them.
 */
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

/** Another coin than was asked for never has a quoted rate. */
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

/** Whether what was in time only because the chain could not be read counts at the quoted rate. */
const keepsRate = (value: bigint | null, locked: bigint): boolean =>
  value !== null && value * 100n >= locked * EXTENDED_PERCENT

/** A page has no lock: what arrives within its watch counts at the quoted rate. */
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

/** What payments of an attempt count towards its order, all those that are final unless others are named. */
export function creditedBy(
  { attempt, payments }: AttemptCredit,
  currency: string,
  includes: (credit: PaymentCredit) => boolean = isFinal,
): bigint {
  const some = payments.filter(includes)
  const sum = new Arrived(attempt)
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

/** What counts of other coins than the attempt asked for. */
const othersOf = (attempt: Attempt, payments: readonly PaymentCredit[]): bigint =>
  payments.reduce(
    (sum, { payment, rest }) => sum + (payment.assetId === attempt.assetId ? 0n : (rest ?? 0n)),
    0n,
  )

const byTime = ({ payment: one }: PaymentCredit, { payment: other }: PaymentCredit): number =>
  valuedAt(one) - valuedAt(other) || (`${one.source} ${one.txId}` < `${other.source} ${other.txId}` ? -1 : 1)

/** The value of the part of a payment that waits for the merchant's decision; null if it is not known. */
export function awaitedOf(
  attempt: Attempt,
  currency: string,
  { rest, value, inTime }: PaymentCredit,
): bigint | null {
  if (rest !== null) return 0n
  return value === null ? null : value - lockedValue(attempt, currency, inTime)
}

/** The value of what waits for the merchant's decision; null if one is not known. */
export function awaitedBy({ attempt, payments }: AttemptCredit, currency: string): bigint | null {
  let sum = 0n
  for (const credit of payments) {
    const awaited = awaitedOf(attempt, currency, credit)
    if (awaited === null) return null
    sum += awaited
  }
  return sum
}
