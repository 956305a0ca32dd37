import { describe, expect, test } from 'bun:test'
import type { Attempt } from '../../../../src/domain/attempt.ts'
import { BLIND_MAX_MS, isEndedWith } from '../../../../src/domain/blind-chain.ts'
import type { IncomingPayment, IncomingPaymentState } from '../../../../src/domain/payment.ts'
import { VALUE_UNIT } from '../../../../src/domain/quote.ts'
import { endedCase } from '../../../../src/operations/settlement/attempts.ts'
import type { Case, Occasion } from '../../../../src/operations/settlement/case.ts'
import { decide } from '../../../../src/operations/settlement/decide.ts'
import { attempt, GRACE_END, payment, WATCH_END } from '../../domain/given.ts'
import { emptyCase } from './model.ts'

const tolerance = 50n * VALUE_UNIT
const usdc = attempt({ id: 'usdc', tolerance })
/** This attempt was opened for the remaining 6.00. */
const later = { priced: '6.00', dueAtomic: 600n, thresholdAtomic: 600n, createdAt: 550 }
const btc = attempt({ id: 'btc', assetId: 'btc', tolerance, ...later })

const paidTo = (to: Attempt, state: IncomingPaymentState, amount: bigint, paidAt: number) =>
  payment(state, amount, {
    id: `${to.id} ${amount}`,
    attemptId: to.id,
    assetId: to.assetId,
    paidAt,
    minedAt: paidAt,
    seen: [{ at: paidAt, atomic: `${amount}` }],
  })

/** An order of 10.00 with both attempts. */
const given = (first: IncomingPayment[], second: IncomingPayment[], more: Partial<Case> = {}) =>
  emptyCase(
    { amount: '10.00', netAmount: '10.00', currency: 'USD' },
    {
      now: 900,
      attempts: [
        { attempt: usdc, payments: first },
        { attempt: btc, payments: second },
      ],
      ...more,
    },
  )

function payingOf(of: Case, occasion: Occasion = {}) {
  const change = decide(of, occasion).changes.find(({ do: what }) => what === 'pay')
  if (change?.do !== 'pay') throw new Error('the order is not paid')
  const { attempt: payer, payments, settlement, ...rest } = change.paying
  const evidence = settlement.evidence as Record<string, unknown>
  const known = { ...settlement, ...evidence, ...rest }
  return { ...known, payer: payer.id, paidBy: payments.map(({ id }) => id) }
}

const first = (amount: bigint, state: IncomingPaymentState = 'final') => paidTo(usdc, state, amount, 500)
const second = (amount: bigint) => paidTo(btc, 'final', amount, 700)

describe('an order that is paid in two coins', () => {
  test('has the amounts of both, and only final ones', () => {
    expect(payingOf(given([first(400n), first(50n, 'seen')], [second(600n)]))).toMatchObject({
      payer: 'btc',
      paidBy: ['usdc 400', 'btc 600'],
      verdict: 'exact',
      rule: 'final payments count for 10.00 USD of 10.00 USD',
      received: { receivedAmount: '0.0006', receivedCurrency: 'btc' },
      confirmedAtomic: 600n,
      missingAtomic: '0',
      missing: null,
      isOverpaid: false,
      pageShare: null,
      lateValue: 0n,
      parts: [
        { attemptId: 'usdc', amount: '0.0004', credited: '4.00' },
        { attemptId: 'btc', amount: '0.0006', credited: '6.00' },
      ],
      incomingPayments: [
        { attemptId: 'usdc', amount: '400', value: '4.00', lateRate: null },
        { attemptId: 'btc', amount: '600', value: '6.00', lateRate: null },
      ],
    })
  })

  test('is completed by the reported attempt, or else by the one that was paid last', () => {
    const of = given([first(400n)], [second(600n)])
    expect(payingOf(of, { reported: 'usdc' })).toMatchObject({ payer: 'usdc' })
    expect(payingOf(of, { reported: 'another' })).toMatchObject({ payer: 'btc' })
    expect(payingOf(given([paidTo(usdc, 'final', 400n, 800)], [second(600n)]))).toMatchObject({
      payer: 'usdc',
    })
  })

  test('may lack the tolerance, and records that', () => {
    expect(payingOf(given([first(400n)], [second(570n)]))).toMatchObject({
      verdict: 'short',
      rule: 'final payments count for 9.70 USD of 10.00 USD, of which 0.50 USD may be missing',
      missing: '0.30',
      missingAtomic: '30',
      confirmedAtomic: 570n,
    })
    expect(payingOf(given([first(400n)], [second(550n)]))).toMatchObject({ missing: '0.50' })
    expect(() => payingOf(given([first(400n)], [second(549n)]))).toThrow('not paid')
  })

  test('is overpaid from one minor unit, or by its own coin alone', () => {
    expect(payingOf(given([first(401n)], [second(600n)]))).toMatchObject({
      verdict: 'over',
      isOverpaid: true,
    })
    expect(payingOf(given([first(1001n)], []))).toMatchObject({ verdict: 'over', isOverpaid: true })
    expect(payingOf(given([first(1000n)], []))).toMatchObject({ verdict: 'exact', isOverpaid: false })
  })

  test('is late by the value that one of them had then', () => {
    const late = paidTo(btc, 'final', 600n, GRACE_END + 1)
    const of = given([first(400n)], [late], { rateOf: () => '11000', now: GRACE_END + 10 })
    expect(payingOf(of)).toMatchObject({
      verdict: 'late',
      isOverpaid: true,
      lateValue: 660n * VALUE_UNIT,
      incomingPayments: [
        { lateRate: null, value: '4.00' },
        { lateRate: '11000', value: '6.60' },
      ],
    })
  })
})

test.each<[arrived: bigint, threshold: bigint, verdict: string]>([
  [1000n, 850n, 'exact'],
  [950n, 850n, 'exact'],
  [949n, 850n, 'short'],
  [950n, 950n, 'exact'],
  [960n, 950n, 'exact'],
])('a page for 1000 that brought %p, if %p are enough, pays: %p', (arrived, thresholdAtomic, verdict) => {
  const page = {
    ...attempt({ id: 'page', thresholdAtomic, tolerance }),
    kind: 'redirect',
  } as unknown as Attempt
  const of = emptyCase(
    { amount: '10.00', netAmount: '10.00', currency: 'USD' },
    { now: 900, attempts: [{ attempt: page, payments: [paidTo(page, 'final', arrived, 500)] }] },
  )
  expect(payingOf(of)).toMatchObject({ payer: 'page', verdict })
})

describe('payments that the merchant accepts', () => {
  const late = paidTo(btc, 'final', 600n, GRACE_END + 1)
  const row = {
    id: 'row',
    incomingPaymentId: late.id,
    attemptId: 'btc',
    reason: 'late',
    status: 'open',
  } as never
  const accepted = { ids: new Set(['row']), by: 'Ada', reason: 'a regular' }
  const more = { unmatched: [row], asksLate: true, now: GRACE_END + 10 }
  const priced = { ...more, rateOf: () => '8000' }

  test('pay the order together with its credit, and record the missing amount', () => {
    expect(payingOf(given([first(400n)], [late], priced), { accepted })).toMatchObject({
      payer: 'btc',
      verdict: 'accepted',
      rule: 'accepted by Ada: a regular',
      shortfall: '1.20',
      late: true,
      received: { receivedAmount: '8.80', receivedCurrency: 'USD' },
      credited: '8.80',
      missing: '1.20',
      parts: [
        { attemptId: 'usdc', credited: '4.00' },
        { attemptId: 'btc', credited: '4.80' },
      ],
      incomingPayments: [{ attemptId: 'usdc' }, { unmatchedId: 'row', reason: 'late', lateRate: '8000' }],
    })
    expect(payingOf(given([], [late], priced), { accepted: { ...accepted, reason: null } })).toMatchObject({
      rule: 'accepted by Ada',
      received: { receivedAmount: '0.0006', receivedCurrency: 'btc' },
      shortfall: '5.20',
    })
  })

  test('of unknown value pay it alone, but not together with another coin', () => {
    expect(payingOf(given([], [late], more), { accepted })).toMatchObject({ shortfall: null })
    expect(() => payingOf(given([first(400n)], [late], more), { accepted })).toThrow('different assets')
  })

  test('in two parts that add up to the price leave nothing missing', () => {
    const page = { ...attempt({ id: 'page', dueAtomic: 977n }), kind: 'redirect' } as unknown as Attempt
    const parts = [320n, 657n].map(amount => paidTo(page, 'final', amount, WATCH_END + 1))
    const unmatched = parts.map(({ id }) => ({ id, incomingPaymentId: id, attemptId: 'page' }) as never)
    const attempts = [{ attempt: page, payments: parts }]
    const of = { ...given([], []), attempts, unmatched, now: WATCH_END + 10 }
    const ids = new Set(parts.map(({ id }) => id))
    expect(payingOf(of, { accepted: { ...accepted, ids } })).toMatchObject({ shortfall: null, missing: null })
  })

  test('must be of this order', () => {
    const other = { id: 'other', incomingPaymentId: 'elsewhere', attemptId: 'x', status: 'open' } as never
    const ids = new Set(['row', 'other'])
    const of = given([], [late], { ...priced, unmatched: [row, other] })
    expect(() => payingOf(of, { accepted: { ...accepted, ids } })).toThrow('belongs to another order')
  })
})

describe('an order that is ended', () => {
  const endOf = (now: number, change: Partial<Attempt>) => {
    const one = { ...attempt(), ...change } as Attempt
    const { of, changes } = endedCase(emptyCase({}, { now, attempts: [{ attempt: one, payments: [] }] }))
    expect(of.order.expiresAt).toBe(now)
    expect(changes).toHaveLength(1)
    const { lockedUntil, graceLimit, blindMs } = of.attempts[0]!.attempt
    return { lockedUntil, graceLimit, blindMs, isEnded: isEndedWith(of.order, of.attempts[0]!.attempt) }
  }

  test('ends its running locks and graces', () => {
    expect(endOf(600, {})).toEqual({ lockedUntil: 600, graceLimit: 600, blindMs: 0, isEnded: true })
    expect(endOf(1_200, {})).toEqual({ lockedUntil: 1_000, graceLimit: 1_200, blindMs: 0, isEnded: true })
  })

  test('extends the grace until now if the chain was not read, but no longer than a chain may be blind', () => {
    const [seen, unseen] = [{ checkedAt: GRACE_END }, { checkedAt: GRACE_END - 1 }]
    const over = { lockedUntil: 1_000, graceLimit: GRACE_END, blindMs: 0, isEnded: false }
    expect(endOf(2_000, seen)).toEqual(over)
    expect(endOf(GRACE_END, unseen)).toEqual({ ...over, isEnded: true })
    expect(endOf(2_000, unseen)).toEqual({ ...over, graceLimit: 2_000, blindMs: 500, isEnded: true })
    const blind = { ...unseen, blindMs: BLIND_MAX_MS - 100 }
    expect(endOf(2_000, blind)).toEqual({ ...over, graceLimit: GRACE_END + 100, blindMs: BLIND_MAX_MS })
    expect(endOf(2_000, { ...unseen, kind: 'redirect' } as never)).toEqual(over)
  })
})
