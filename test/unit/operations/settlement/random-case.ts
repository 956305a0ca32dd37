import type { AttemptPayments } from '../../../../src/domain/grace.ts'
import { amountOf } from '../../../../src/domain/money.ts'
import type { IncomingPayment, SeenAmount } from '../../../../src/domain/payment.ts'
import { VALUE_UNIT } from '../../../../src/domain/quote.ts'
import type { UnmatchedPayment } from '../../../../src/domain/settlement.ts'
import type { Case } from '../../../../src/operations/settlement/case.ts'
import { payment } from '../../domain/given.ts'
import { emptyCase, GRACE, HOUR, LOCK, MINUTE, openedAs, WATCH } from './model.ts'

/** Repeatable random numbers: the same seed gives the same numbers. */
export class Chance {
  constructor(private state: number) {}

  /** An integer from 0 to below `count`. */
  below(count: number): number {
    this.state = (this.state + 0x6d2b79f5) | 0
    let mixed = Math.imul(this.state ^ (this.state >>> 15), 1 | this.state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) % count
  }

  one<T>(of: readonly T[]): T {
    return of[this.below(of.length)]!
  }

  /** True in `percent` of 100 cases. */
  in(percent: number): boolean {
    return this.below(100) < percent
  }
}

const prices = [1000n, 1000n, 2500n, 999n, 1n, 100_000n]
const rates = [null, 50n, 94n, 95n, 100n, 100n, 101n, 130n]
const own = ['btc', 'eth', 'usdc', 'xmr', 'ltc']
/** Other coins that may arrive. One of them counts at every attempt's address. */
const others = ['usdt', 'doge']

/** An order with up to 4 attempts and up to 5 payments, most of them near a limit. */
export function randomCase(chance: Chance): Case {
  const price = chance.one(prices)
  const tolerance = (price * chance.one([0n, 50n, 500n]) * VALUE_UNIT) / 10_000n
  const allowed = tolerance < 500n * VALUE_UNIT ? tolerance : 500n * VALUE_UNIT
  const terms = { tolerance: allowed, dust: chance.in(70) ? 10n * VALUE_UNIT : 0n }
  let createdAt = 0
  const attempts = Array.from({ length: 1 + chance.below(4) }, (_, at) => {
    createdAt += at === 0 ? 0 : chance.one([MINUTE, 20 * MINUTE, 50 * MINUTE, 2 * HOUR])
    return randomAttempt(chance, { at, createdAt, price }, terms)
  })
  const used = new Set<number>()
  const payments = Array.from({ length: 1 + chance.below(5) }, (_, at) =>
    randomPayment(chance, `payment ${at}`, chance.one(attempts), used),
  )
  const times = payments.flatMap(({ paidAt, minedAt, seen }) => [paidAt, minedAt ?? 0, seen.at(-1)!.at])
  const now =
    Math.max(...times, ...attempts.map(({ createdAt }) => createdAt)) +
    chance.one([0, 1, MINUTE, HOUR, 7 * HOUR])
  const factors = Array.from({ length: 7 }, () => chance.one(rates))
  const quotes = new Map(attempts.map(({ assetId, priced, dueAtomic }) => [assetId, { priced, dueAtomic }]))
  const isExpired = chance.in(10)
  const of = emptyCase(
    { amount: amountOf(price, 'USD'), expiresAt: chance.one([30 * MINUTE, 24 * HOUR]) },
    {
      now,
      asksLate: chance.in(15),
      countsOther: (_attempt, id) => id === 'usdt',
      rateOf: ({ assetId, minedAt, paidAt }) => {
        const percent = factors[(minedAt ?? paidAt) % factors.length]!
        if (percent === null) return null
        const { priced, dueAtomic } = quotes.get(assetId) ?? { priced: '1.00', dueAtomic: 1_000_000n }
        return rateText(BigInt(priced.replace('.', '')) * percent, dueAtomic)
      },
      attempts: attempts.map(attempt => ({
        attempt: { ...attempt, checkedAt: attempt.kind === 'redirect' || chance.in(10) ? null : now },
        payments: payments.filter(({ attemptId }) => attemptId === attempt.id),
      })),
    },
  )
  if (isExpired) {
    of.order.status = 'EXPIRED'
    of.session.status = 'EXPIRED'
  }
  const resolved = payments.filter(({ state }) => state === 'final' && chance.in(6)).map(resolvedRow)
  const claimed = payments.filter(() => chance.in(2)).map(({ id }) => id)
  return { ...of, unmatched: resolved, isClaimed: ({ id }) => claimed.includes(id) }
}

/** The rate in dollars of a coin with 6 decimals, if `due` units cost this many hundredths of a cent. */
function rateText(hundredths: bigint, due: bigint): string {
  const scaled = (hundredths * 10n ** 26n) / (due * 10_000n)
  const digits = scaled.toString().padStart(21, '0')
  return `${digits.slice(0, -20)}.${digits.slice(-20)}`
}

function randomAttempt(
  chance: Chance,
  { at, createdAt, price }: { at: number; createdAt: number; price: bigint },
  terms: { tolerance: bigint; dust: bigint },
) {
  const kind = chance.one(['own', 'own', 'own', 'page', 'gateway'] as const)
  const priced = at === 0 || chance.in(40) ? price : 1n + BigInt(chance.below(Number(price)))
  const dueAtomic = chance.one([3n, 7n, 997n, 1000n, priced * 10_000n, 12_345_678_901_234_567n])
  const blindMs = chance.in(15) ? 20 * MINUTE : 0
  const isPage = kind === 'page'
  const lockedUntil = createdAt + LOCK + blindMs
  return openedAs(kind, {
    id: `attempt ${at}`,
    methodKey: isPage ? 'card' : 'crypto',
    methodName: kind,
    assetId: own[at]!,
    decimals: 6,
    priced: amountOf(priced, 'USD'),
    dueAtomic,
    ...terms,
    lockedUntil,
    graceLimit: lockedUntil + (kind === 'gateway' ? 3 * HOUR : GRACE),
    minedWithinMs: chance.one([2, 6]) * HOUR,
    blindMs: isPage ? 0 : blindMs,
    watchUntil: lockedUntil + WATCH,
    createdAt,
  })
}

type RandomAttempt = AttemptPayments['attempt']

function randomAmount(chance: Chance, { dueAtomic }: RandomAttempt): bigint {
  const parts = BigInt(chance.one([1, 2, 3, 4, 5, 6, 7, 8, 10]))
  const wanted = chance.one([
    dueAtomic,
    dueAtomic,
    dueAtomic - 1n,
    dueAtomic + 1n,
    (dueAtomic * parts) / 8n,
    dueAtomic / parts,
    (dueAtomic * 995n) / 1000n,
    1n,
  ])
  return wanted > 0n ? wanted : 1n
}

/** All times differ: the rules do not say which of two payments in the same millisecond came first. */
function randomTime(chance: Chance, attempt: RandomAttempt, used: Set<number>): number {
  const { createdAt, lockedUntil, graceLimit, blindMs, watchUntil } = attempt
  const near = chance.one([-1, 0, 1])
  const limit = chance.one([lockedUntil, graceLimit, lockedUntil - blindMs, graceLimit - blindMs])
  const wanted = chance.one([
    createdAt + chance.below(LOCK),
    createdAt + chance.below(LOCK),
    lockedUntil + chance.below(GRACE),
    graceLimit + chance.below(HOUR),
    limit + near,
    limit + near,
    chance.in(20) ? watchUntil + near : createdAt + chance.below(LOCK),
  ])
  let time = Math.max(createdAt, wanted)
  while (used.has(time)) time++
  used.add(time)
  return time
}

function randomPayment(
  chance: Chance,
  id: string,
  attempt: RandomAttempt,
  used: Set<number>,
): IncomingPayment {
  const isPage = attempt.kind === 'redirect'
  const state = chance.one(['final', 'final', 'final', 'final', 'final', 'seen', 'seen', 'gone'] as const)
  const amountAtomic = randomAmount(chance, attempt)
  const times = [randomTime(chance, attempt, used)]
  if (!isPage && amountAtomic > 1n && chance.in(20)) times.push(randomTime(chance, attempt, used))
  const [first, second] = times.sort((one, other) => one - other) as [number, number?]
  const seen: SeenAmount[] =
    second === undefined
      ? [{ at: first, atomic: `${amountAtomic}` }]
      : [
          { at: first, atomic: `${amountAtomic / 2n}` },
          { at: second, atomic: `${amountAtomic}` },
        ]
  const last = second ?? first
  const soon = attempt.lockedUntil + chance.one([2, 6]) * HOUR + chance.one([-1, 0, 1])
  const minedAt = chance.one([last, last, last + 10 * MINUTE, Math.max(last, soon)])
  return payment(state, amountAtomic, {
    id,
    txId: id,
    attemptId: attempt.id,
    assetId: chance.in(90) ? attempt.assetId : chance.one(others),
    paidAt: first,
    seen,
    minedAt: state === 'final' && !isPage ? minedAt : null,
    txIn: isPage && chance.in(30) ? null : id,
  })
}

/** The merchant has sent a payment back. */
const resolvedRow = ({ id, attemptId }: IncomingPayment): UnmatchedPayment => ({
  id: `row ${id}`,
  merchantId: 'merchant',
  orderId: 'order',
  attemptId,
  incomingPaymentId: id,
  reason: 'underpaid',
  status: 'resolved',
  value: null,
  shortfall: null,
  note: null,
  decidedBy: 'merchant',
  createdAt: 0,
  updatedAt: 0,
})
