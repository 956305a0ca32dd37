import type { Attempt } from './attempt.ts'
import { minorOf } from './money.ts'
import type { IncomingPayment } from './payment.ts'
import { MINED_SOON_MS, VALUE_UNIT } from './quote.ts'

export interface AttemptPayments {
  attempt: Attempt
  payments: readonly IncomingPayment[]
}

/** The parts of a payment that arrived while its quoted amount held, atomic. The rest is late. */
export interface Timing {
  inTime: bigint
  /** the part that is in time only because the chain was blind */
  extended: bigint
  /** true if the payment was seen in time but was not mined soon enough */
  isStale: boolean
}

/** An older attempt keeps its grace if at least 1 / KEPT_SHARE of its order is credited for it. */
const KEPT_SHARE = 10n

/**
 * A time at which an amount of a payment was seen, or at which the payment has to be mined. Moments are
 * sorted by when they happened, not by when the server learned of them.
 */
interface Moment {
  attempt: Attempt
  payment: IncomingPayment
  at: number
  /** the amount that was seen then; null for the moment at which the payment has to be mined */
  atomic: bigint | null
}

const keyOf = ({ source, txId, txIndex }: IncomingPayment): string => `${source} ${txId} ${txIndex}`

const byTime = (one: Moment, other: Moment): number =>
  one.at - other.at ||
  Number(one.atomic === null) - Number(other.atomic === null) ||
  (keyOf(one.payment) < keyOf(other.payment) ? -1 : 1)

/**
 * The attempts that have the grace: the newest attempt at an address, and the older attempt with the most
 * credit.
 */
class Graces {
  /** credit by attempt ID; atomic, because rounded values of parts would add up to less than their sum */
  readonly #credited = new Map<string, bigint>()

  constructor(
    private readonly attempts: readonly Attempt[],
    private readonly leastCredit: bigint,
  ) {}

  /**
   * Credits an amount to an attempt. Only an attempt that is credited before its lock ends can keep its
   * grace.
   */
  credit(attempt: Attempt, at: number, atomic: bigint): void {
    const before = this.#credited.get(attempt.id)
    if (before === undefined && at > attempt.lockedUntil) return
    this.#credited.set(attempt.id, (before ?? 0n) + atomic)
  }

  has(attempt: Attempt, at: number): boolean {
    const opened = this.attempts.filter(({ createdAt }) => createdAt <= at)
    return opened.at(-1)?.id === attempt.id || this.#holder(opened.slice(0, -1))?.id === attempt.id
  }

  /** End of an attempt's grace, as known at `now`. */
  endOf(attempt: Attempt, now: number): number {
    if (attempt.kind !== 'address' || this.has(attempt, now)) return attempt.graceLimit
    const next = this.attempts[this.attempts.findIndex(({ id }) => id === attempt.id) + 1]
    return Math.min(attempt.graceLimit, Math.max(attempt.lockedUntil, next?.createdAt ?? now))
  }

  #holder(older: readonly Attempt[]): Attempt | null {
    let holder: Attempt | null = null
    let most = this.leastCredit
    for (const attempt of older) {
      const atomic = this.#credited.get(attempt.id)
      if (atomic === undefined) continue
      const credited = (atomic * VALUE_UNIT * this.#priceOf(attempt)) / attempt.dueAtomic
      if (credited < most) continue
      holder = attempt
      most = credited
    }
    return holder
  }

  readonly #prices = new Map<string, bigint>()

  #priceOf({ id, priced }: Attempt): bigint {
    const price = this.#prices.get(id) ?? BigInt(priced.replace('.', ''))
    this.#prices.set(id, price)
    return price
  }
}

interface Timings {
  /** timings by payment ID, also of payments in other coins, for which no attempt keeps its grace */
  of: ReadonlyMap<string, Timing>
  /** The time until which payments to an attempt count as in time. */
  graceEnd(attempt: Attempt): number
}

/**
 * Finds the parts of payments that arrived in time. Goes through the payments in the order in which they were
 * sent, because an attempt that lost its grace to a newer attempt had the grace until then.
 */
export function timingsOf(
  order: { amount: string; currency: string },
  attempts: readonly AttemptPayments[],
  now: number,
): Timings {
  const addresses = attempts.filter(({ attempt }) => attempt.kind === 'address')
  const price = minorOf(order.amount, order.currency) * VALUE_UNIT
  const graces = new Graces(
    addresses.map(({ attempt }) => attempt),
    price / KEPT_SHARE,
  )
  const timings = new Map<string, Timing>()
  const moments = addresses.flatMap(({ attempt, payments }) =>
    payments.filter(({ state }) => state !== 'gone').flatMap(payment => momentsOf(attempt, payment, now)),
  )
  for (const moment of moments.sort(byTime)) {
    const timing = timings.get(moment.payment.id) ?? { inTime: 0n, extended: 0n, isStale: false }
    timings.set(moment.payment.id, timing)
    if (moment.atomic === null) checkMining(moment, timing, graces, now)
    else addSeenAmount(moment, moment.atomic, timing, graces)
  }
  return { of: timings, graceEnd: attempt => graces.endOf(attempt, now) }
}

function momentsOf(attempt: Attempt, payment: IncomingPayment, now: number): Moment[] {
  let known = 0n
  const seenAmounts = payment.seen.map(({ at, atomic }): Moment => {
    const more = BigInt(atomic) - known
    known += more
    return { attempt, payment, at, atomic: more }
  })
  const last = seenAmounts.at(-1)?.at ?? payment.paidAt
  const mined = Math.max(last, Math.min(payment.minedAt ?? now, attempt.graceLimit))
  return [...seenAmounts, { attempt, payment, at: mined, atomic: null }]
}

function addSeenAmount(
  { attempt, payment, at }: Moment,
  atomic: bigint,
  timing: Timing,
  graces: Graces,
): void {
  const { lockedUntil, graceLimit, blindMs } = attempt
  if (at > lockedUntil && !(at <= graceLimit && graces.has(attempt, at))) return
  const isExtended = at > lockedUntil - blindMs && !(at <= graceLimit - blindMs && graces.has(attempt, at))
  if (isExtended) timing.extended += atomic
  else timing.inTime += atomic
  if (payment.assetId === attempt.assetId) graces.credit(attempt, at, atomic)
}

/**
 * An amount that was seen in time counts as in time only if it is mined soon, so that a payment which is
 * never mined keeps no price. A payment that was seen too long ago counts for nothing until it is mined.
 */
function checkMining({ attempt, payment, at }: Moment, timing: Timing, graces: Graces, now: number): void {
  const { lockedUntil, graceLimit, minedWithinMs } = attempt
  const { minedAt, state, paidAt } = payment
  const isKept = graces.has(attempt, at)
  const withinMs = isKept ? minedWithinMs : Math.min(minedWithinMs, MINED_SOON_MS)
  const isInTime = timing.inTime + timing.extended > 0n
  const from = isInTime ? lockedUntil : Math.max(lockedUntil, paidAt)
  const minedBy = Math.max(isKept ? graceLimit : lockedUntil, from + withinMs)
  if ((minedAt ?? (state === 'final' ? paidAt : now)) <= minedBy) return
  Object.assign(timing, { inTime: 0n, extended: 0n, isStale: state === 'seen' && minedAt === null })
}
