import type { Attempt } from '../../../../src/domain/attempt.ts'
import type { IncomingPayment } from '../../../../src/domain/payment.ts'
import type { Case } from '../../../../src/operations/settlement/case.ts'

/**
 * The rules of payments again, as short as possible: in exact fractions, and without the code that they
 * check. All values are in minor units of the order's currency.
 */

/** An exact fraction. */
export interface Fraction {
  over: bigint
  under: bigint
}

const TWO_HOURS = 2 * 3600_000

export const fraction = (over: bigint, under = 1n): Fraction => ({ over, under })
export const plus = (one: Fraction, other: Fraction): Fraction =>
  one.under === other.under
    ? { over: one.over + other.over, under: one.under }
    : { over: one.over * other.under + other.over * one.under, under: one.under * other.under }
export const isLess = (one: Fraction, other: Fraction): boolean =>
  one.over * other.under < other.over * one.under
export const most = (one: Fraction, other: Fraction): Fraction => (isLess(one, other) ? other : one)
export const zero = fraction(0n)

export const minorUnits = (amount: string): bigint => BigInt(amount.replace('.', ''))
const decimal = (text: string): Fraction => {
  const [whole = '', places = ''] = text.split('.')
  return fraction(BigInt(whole + places), 10n ** BigInt(places.length))
}

/** amount ÷ due × priced */
export const quoted = ({ dueAtomic, priced }: Attempt, atomic: bigint): Fraction =>
  fraction(atomic * minorUnits(priced), dueAtomic)

/** The value at the rate of the payment's own block; null without a rate. */
export function ownValue(of: Case, payment: IncomingPayment, atomic: bigint): Fraction | null {
  const rate = of.rateOf(payment)
  const decimals = of.assetOf(payment.assetId)?.decimals
  if (rate === null || decimals === undefined) return null
  const { over, under } = decimal(rate)
  return fraction(atomic * over * 100n, under * 10n ** BigInt(decimals))
}

/** A part of a payment that was seen while its quote held. */
interface Credit {
  attempt: Attempt
  at: number
  value: Fraction
}
interface Part {
  plain: bigint
  extended: bigint
}

class Quotes {
  readonly #credits: Credit[] = []
  readonly #parts = new Map<string, Part>()

  constructor(private readonly of: Case) {
    const seen = of.attempts
      .filter(({ attempt }) => attempt.kind === 'address')
      .flatMap(({ attempt, payments }) =>
        payments
          .filter(({ state }) => state !== 'gone')
          .flatMap(payment =>
            payment.seen.map(({ at, atomic }, index) => {
              const more = BigInt(atomic) - BigInt(payment.seen[index - 1]?.atomic ?? '0')
              return { attempt, payment, at, more }
            }),
          ),
      )
      .sort((one, other) => one.at - other.at)
    for (const { attempt, payment, at, more } of seen) {
      const part = this.#parts.get(payment.id) ?? { plain: 0n, extended: 0n }
      this.#parts.set(payment.id, part)
      if (!this.#holds(attempt, at, 0)) continue
      if (this.#holds(attempt, at, attempt.blindMs)) part.plain += more
      else part.extended += more
      if (payment.assetId === attempt.assetId)
        this.#credits.push({ attempt, at, value: quoted(attempt, more) })
    }
  }

  /**
   * True if the quote of an attempt holds at a time. `shorter` is a time by which its lock and grace are
   * shortened.
   */
  #holds(attempt: Attempt, at: number, shorter: number): boolean {
    if (at <= attempt.lockedUntil - shorter) return true
    return at <= attempt.graceLimit - shorter && this.#hasGrace(attempt, at)
  }

  #hasGrace(attempt: Attempt, at: number): boolean {
    const opened = this.of.attempts.filter(
      one => one.attempt.kind === 'address' && one.attempt.createdAt <= at,
    )
    if (opened.at(-1)?.attempt === attempt) return true
    let [richest, credit]: [Attempt | null, Fraction] = [
      null,
      fraction(minorUnits(this.of.order.amount), 10n),
    ]
    for (const { attempt: older } of opened.slice(0, -1)) {
      const own = this.#credits.filter(one => one.attempt === older && one.at <= at)
      if (!own.some(one => one.at <= older.lockedUntil)) continue
      const sum = own.reduce((value, one) => plus(value, one.value), zero)
      if (!isLess(sum, credit)) [richest, credit] = [older, sum]
    }
    return richest === attempt
  }

  /** The part of a final payment that was in time, and mined soon enough. */
  inTime(attempt: Attempt, payment: IncomingPayment): Part {
    const part = this.#parts.get(payment.id)
    if (!part || part.plain + part.extended === 0n) return { plain: 0n, extended: 0n }
    const minedAt = payment.minedAt ?? payment.paidAt
    const { lockedUntil, graceLimit, minedWithinMs } = attempt
    const lastSeen = payment.seen.at(-1)?.at ?? payment.paidAt
    const hadGrace = this.#hasGrace(attempt, Math.max(lastSeen, Math.min(minedAt, graceLimit)))
    if (hadGrace && minedAt <= graceLimit) return part
    const within = hadGrace ? minedWithinMs : Math.min(minedWithinMs, TWO_HOURS)
    return minedAt <= lockedUntil + within ? part : { plain: 0n, extended: 0n }
  }
}

/** True if the merchant has decided about a payment, or if it belongs to another order. */
function isHandled({ unmatched, isClaimed }: Case, payment: IncomingPayment): boolean {
  const { id, settles } = payment
  if (settles) return false
  const row = unmatched.find(({ incomingPaymentId }) => incomingPaymentId === id)
  return isClaimed(payment) || (row?.status === 'resolved' && row.decidedBy !== null)
}

/** The sum for which the final payments of an order count. */
export function finalCredit(of: Case): Fraction {
  const quotes = new Quotes(of)
  let sum = zero
  for (const { attempt, payments } of of.attempts) {
    // A total in a provider's status includes payments that the merchant has decided about.
    const isTotalOver = attempt.provider !== null && payments.some(payment => isHandled(of, payment))
    const final = payments.filter(
      payment =>
        payment.state === 'final' && !isHandled(of, payment) && !(isTotalOver && payment.txIn === null),
    )
    const isOwn = ({ assetId }: IncomingPayment) => assetId === attempt.assetId
    for (const other of final.filter(payment => !isOwn(payment)))
      sum = plus(sum, otherCoin(of, attempt, other, quotes.inTime(attempt, other)))
    const own = final.filter(isOwn)
    if (attempt.kind === 'redirect') sum = plus(sum, page(attempt, own))
    else
      for (const payment of own)
        sum = plus(sum, ownCoin(of, attempt, payment, quotes.inTime(attempt, payment)))
  }
  return sum
}

function otherCoin(
  of: Case,
  attempt: Attempt,
  payment: IncomingPayment,
  { plain, extended }: Part,
): Fraction {
  const isLate = attempt.kind === 'address' && plain + extended < payment.amountAtomic
  if (isLate && of.asksLate) return zero
  if (!of.countsOther(attempt, payment.assetId) || payment.paidAt > attempt.watchUntil) return zero
  return ownValue(of, payment, payment.amountAtomic) ?? zero
}

/** From its share on, a page counts as whole, below as a part. A status may be a total: it is never added. */
function page(attempt: Attempt, payments: readonly IncomingPayment[]): Fraction {
  const watched = payments.filter(({ paidAt }) => paidAt <= attempt.watchUntil)
  let [reported, total] = [0n, 0n]
  for (const { txIn, amountAtomic } of watched) {
    if (txIn !== null) reported += amountAtomic
    else if (amountAtomic > total) total = amountAtomic
  }
  const arrived = reported > total ? reported : total
  const part = quoted(attempt, arrived)
  return arrived > 0n && arrived >= attempt.thresholdAtomic
    ? most(part, fraction(minorUnits(attempt.priced)))
    : part
}

function ownCoin(of: Case, attempt: Attempt, payment: IncomingPayment, { plain, extended }: Part): Fraction {
  let sum = quoted(attempt, plain)
  if (payment.paidAt > attempt.watchUntil) return sum
  const late = payment.amountAtomic - plain - extended
  if (extended > 0n) {
    const locked = quoted(attempt, extended)
    const value = ownValue(of, payment, extended)
    const isKept = value !== null && !isLess(value, { over: locked.over * 95n, under: locked.under * 100n })
    if (isKept) sum = plus(sum, locked)
    else if (value !== null && !of.asksLate) sum = plus(sum, value)
  }
  return of.asksLate || late === 0n ? sum : plus(sum, ownValue(of, payment, late) ?? zero)
}

/**
 * The most for which all final payments could count: each at its quote or at the rate of its own block, if
 * that is better, and a page as whole, if its share arrived.
 */
export function mostCredit(of: Case): Fraction {
  let sum = zero
  for (const { attempt, payments } of of.attempts) {
    const final = payments.filter(one => one.state === 'final' && !of.isClaimed(one))
    const own = final.filter(({ assetId }) => assetId === attempt.assetId)
    if (attempt.kind === 'redirect') sum = plus(sum, page({ ...attempt, watchUntil: Infinity }, own))
    else
      for (const payment of own) {
        const value = ownValue(of, payment, payment.amountAtomic) ?? zero
        sum = plus(sum, most(quoted(attempt, payment.amountAtomic), value))
      }
    for (const other of final.filter(({ assetId }) => assetId !== attempt.assetId))
      sum = plus(sum, ownValue(of, other, other.amountAtomic) ?? zero)
  }
  return sum
}
