import { expect, test } from 'bun:test'
import { MINED_WITHIN_MS, VALUE_UNIT } from '../../../../src/domain/quote.ts'
import { endedCase } from '../../../../src/operations/settlement/attempts.ts'
import type { Case, Change, Occasion } from '../../../../src/operations/settlement/case.ts'
import { decide } from '../../../../src/operations/settlement/decide.ts'
import { isWhole } from '../../../support/whole.ts'
import { applied, decided, HOUR, WATCH } from './model.ts'
import { type Fraction, finalCredit, fraction, isLess, minorUnits, mostCredit, plus } from './oracle.ts'
import { Chance, randomCase } from './random-case.ts'

const CASES = isWhole ? 2_000_000 : 40_000
const MOST_MS = isWhole ? 90_000 : 4_000
const SEED = Number(process.env.FLORIN_TEST_SEED ?? 1)

/** Tries seeded cases until there were enough, or the time is over. A failure names the seed of its case. */
function forEachCase(share: number, check: (of: Case, chance: Chance) => void): number {
  const end = Date.now() + MOST_MS * share
  let tried = 0
  for (; tried < CASES; tried++) {
    if (tried % 256 === 0 && Date.now() > end) break
    const seed = (SEED * 2_000_003 + tried) | 0
    const chance = new Chance(seed)
    const of = randomCase(chance)
    try {
      check(of, chance)
    } catch (error) {
      throw new Error(`seed ${seed}: ${(error as Error).message}\n${described(of)}`)
    }
  }
  return tried
}

function described({ order, attempts, ...of }: Case): string {
  const text = (value: unknown) =>
    JSON.stringify(value, (_key, one) => (typeof one === 'bigint' ? `${one}` : one))
  const lines = attempts.flatMap(({ attempt, payments }) => {
    const { id, kind, priced, dueAtomic, createdAt, lockedUntil, graceLimit, blindMs, minedWithinMs } =
      attempt
    return [
      text({ id, kind, priced, dueAtomic, createdAt, lockedUntil, graceLimit, blindMs, minedWithinMs }),
      ...payments.map(one => {
        const { id, assetId, amountAtomic, state, txIn, seen, minedAt } = one
        return `  ${text({ id, assetId, amountAtomic, state, txIn, seen, minedAt, rate: of.rateOf(one) })}`
      }),
    ]
  })
  const { amount, status, expiresAt } = order
  const tolerance = attempts[0]!.attempt.tolerance
  const rows = of.unmatched.map(({ incomingPaymentId }) => incomingPaymentId)
  return [
    text({ amount, status, expiresAt, now: of.now, asksLate: of.asksLate, tolerance, rows }),
    ...lines,
  ].join('\n')
}

function check(holds: boolean, what: string): void {
  if (!holds) throw new Error(what)
}

const paysIn = (changes: readonly Change[]) => changes.find(change => change.do === 'pay')?.paying

/** The same case, after every time limit has passed. */
const muchLater = (of: Case): Case => {
  const now = of.now + WATCH + MINED_WITHIN_MS + 24 * HOUR
  const attempts = of.attempts.map(({ attempt, payments }) => ({
    attempt: { ...attempt, checkedAt: attempt.kind === 'redirect' ? attempt.checkedAt : now },
    payments,
  }))
  return { ...of, now, attempts }
}

const paymentsOf = (of: Case) => of.attempts.flatMap(({ payments }) => payments)
const settledIn = ({ attempts }: Case): bigint =>
  attempts.reduce((sum, { attempt }) => sum + attempt.settledCredit, 0n)

/** Values have 72 decimals, and the last few are rounded. */
const ROUNDED = fraction(1n, 10n ** 60n)
const isMore = (one: Fraction, other: Fraction): boolean => isLess(plus(other, ROUNDED), one)

function checkCredit(before: Case, changes: readonly Change[], after: Case): void {
  const paying = paysIn(changes)
  const exact = finalCredit(before)
  const credited = fraction(paying ? paying.settled : settledIn(after), VALUE_UNIT)
  if (after.order.status !== 'PAID' || paying) {
    check(!isMore(credited, exact), 'more is credited than the rules say')
    check(!isMore(exact, credited), 'less is credited than the rules say')
    check(!isMore(credited, mostCredit(before)), 'something is credited twice')
  }
  const { attempts, order } = before
  const price = fraction(minorUnits(order.amount))
  const least = plus(price, fraction(-attempts[0]!.attempt.tolerance, VALUE_UNIT))
  const isCovered = exact.over > 0n && !isLess(exact, least)
  if (before.order.status === 'UNPAID' || before.order.status === 'EXPIRED') {
    check(paying === undefined || isCovered, 'paid with less than the price less the tolerance')
    check(paying !== undefined || !isCovered, 'covered, and not paid')
  }
}

function checkRows(of: Case): void {
  const rows = of.unmatched.map(({ incomingPaymentId }) => incomingPaymentId)
  check(new Set(rows).size === rows.length, 'a payment has two rows')
  const open = new Set(
    of.unmatched.flatMap(({ status, incomingPaymentId }) => (status === 'open' ? [incomingPaymentId] : [])),
  )
  check(!paymentsOf(of).some(({ id, settles }) => settles && open.has(id)), 'what settled still waits')
}

/** In UNPAID orders, a page has no grace: payments on it count without a row until the order expires. */
function checkNothingIsLost(of: Case): void {
  const rows = new Set(of.unmatched.map(({ incomingPaymentId }) => incomingPaymentId))
  for (const { id, state, settles } of paymentsOf(of)) {
    check(state !== 'final' || settles || rows.has(id), `${id} is nowhere`)
  }
}

function decidedTwice(of: Case, occasion: Occasion = {}): Case {
  const { of: after, decision } = decided(of, occasion)
  checkCredit(occasion.isEnded ? endedCase(of).of : of, decision.changes, after)
  checkRows(after)
  const again = decide(after).changes
  check(again.length === 0, `the same was decided otherwise: ${again.map(change => change.do)}`)
  // The rates of the day are deleted, and the shop asks about late payments and offers no coins.
  const changed: Case = { ...after, rateOf: ({ rate }) => rate, asksLate: true, countsOther: () => false }
  const kept = settledIn(applied(changed, decide(changed).changes))
  check(kept === settledIn(after), 'a credit was taken back')
  return after
}

test(
  'each payment is credited once, pays the order once it is covered, and is never lost or decided twice',
  () => {
    const tried = forEachCase(0.7, (of, chance) => {
      const { id: reported } = chance.one(of.attempts).attempt
      const isEnded = of.order.status === 'UNPAID' && chance.in(10)
      const after = decidedTwice(of, isEnded ? { isEnded } : { reported, hasFailed: chance.in(10) })
      check(!isEnded || after.order.status !== 'UNPAID', 'the merchant could not end the order')
      const end = decidedTwice(muchLater(after))
      check(end.order.status !== 'UNPAID', 'the order never ends')
      checkNothingIsLost(end)
    })
    expect(tried).toBeGreaterThan(100)
  },
  2 * MOST_MS + 10_000,
)

/** Adds the payments one after the other, and decides after each. */
function learned(of: Case, ids: readonly string[]): { of: Case; wasPaid: boolean } {
  const facts = new Map(paymentsOf(of).map(payment => [payment.id, payment]))
  let known: Case = { ...of, attempts: of.attempts.map(({ attempt }) => ({ attempt, payments: [] })) }
  let wasPaid = false
  for (const id of ids) {
    const fact = facts.get(id)!
    const before: Case = {
      ...known,
      attempts: known.attempts.map(({ attempt, payments }) => ({
        attempt,
        payments: attempt.id === fact.attemptId ? [...payments, fact] : payments,
      })),
    }
    wasPaid = known.order.status === 'PAID'
    const { changes } = decide(before)
    known = applied(before, changes)
    checkCredit(before, changes, known)
    checkRows(known)
  }
  return { of: known, wasPaid }
}

function shuffled<T>(chance: Chance, items: readonly T[]): T[] {
  const left = [...items]
  return items.map(() => left.splice(chance.below(left.length), 1)[0]!)
}

test(
  'payments that cover an order pay it, and are credited alike, in whatever order they are reported',
  () => {
    const tried = forEachCase(0.3, (random, chance) => {
      const of: Case = { ...random, unmatched: [], isClaimed: () => false }
      const ids = paymentsOf(of).map(({ id }) => id)
      const exact = finalCredit(of)
      const ends = [ids, shuffled(chance, ids), ids.toReversed()].map(order => learned(of, order))
      const all = decide(of).changes
      for (const { of: end, wasPaid } of ends) {
        if (wasPaid) continue
        const isPaid = end.order.status === 'PAID'
        check(isPaid === (paysIn(all) !== undefined), 'paid in one order of learning only')
        const credited = fraction(settledIn(end), VALUE_UNIT)
        if (!isPaid) check(!isMore(exact, credited) && !isMore(credited, exact), 'credited otherwise')
      }
      const paid = ends.some(({ of: end }) => end.order.status === 'PAID')
      if (paysIn(all))
        check(
          ends.every(({ of: end }) => end.order.status === 'PAID'),
          'not always paid',
        )
      else check(!paid || ends.some(({ wasPaid }) => wasPaid), 'paid with what does not cover it')
    })
    expect(tried).toBeGreaterThan(100)
  },
  2 * MOST_MS + 10_000,
)
