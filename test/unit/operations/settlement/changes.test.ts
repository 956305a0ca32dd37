import { expect, test } from 'bun:test'
import type { Asset } from '../../../../src/domain/asset.ts'
import type { Attempt } from '../../../../src/domain/attempt.ts'
import type { IncomingPayment } from '../../../../src/domain/payment.ts'
import { VALUE_UNIT } from '../../../../src/domain/quote.ts'
import type { Case, Change } from '../../../../src/operations/settlement/case.ts'
import { decide } from '../../../../src/operations/settlement/decide.ts'
import { attempt, GRACE_END, LOCK_END, payment, WATCH_END } from '../../domain/given.ts'
import { applied, emptyCase, moved } from './model.ts'
import { Story } from './story.ts'

/** An order of 10.00 with an attempt that asks for 1000 units. */
const given = (payments: IncomingPayment[], more: Partial<Case> = {}, change = {}): Case =>
  emptyCase(
    { amount: '10.00', netAmount: '10.00', currency: 'USD' },
    { attempts: [{ attempt: attempt(change), payments }], now: 600, ...more },
  )

const changeOf = (changes: readonly Change[]): Partial<Attempt> =>
  changes.find(change => change.do === 'change attempt')?.change ?? {}

const ids = (changes: readonly Change[]): string[] =>
  changes.flatMap(change => (change.do === 'change payment' && change.change.settles ? [change.id] : []))

test('an attempt has the confirmations of its payment with the fewest', () => {
  expect(decide(given([])).changes).toEqual([])
  const few = [payment('seen', 300n, { confirmations: 2 }), payment('seen', 300n, { confirmations: 5 })]
  expect(changeOf(decide(given(few)).changes)).toMatchObject({
    confirmations: 2,
    receivedAtomic: 600n,
    confirmedAtomic: 0n,
  })
  const final = [payment('final', 300n), ...few]
  expect(changeOf(decide(given(final)).changes)).toMatchObject({
    receivedAtomic: 900n,
    confirmedAtomic: 300n,
  })
})

test('a decision that was applied changes nothing when it is made again', () => {
  for (const payments of [[payment('seen', 300n)], [payment('final', 300n)], [payment('gone', 300n)]]) {
    const { changes } = decide(given(payments))
    expect(changes).not.toEqual([])
    expect(decide(applied(given(payments), changes)).changes).toEqual([])
  }
})

test('an attempt records when a payment vanished that nothing replaced', () => {
  const gone = (updatedAt: number, inputs: string[]) => payment('gone', 300n, { updatedAt, inputs })
  const vanishedAt = (...payments: IncomingPayment[]) => changeOf(decide(given(payments)).changes).vanishedAt
  expect(vanishedAt(gone(20, ['a']), gone(30, ['b']))).toBe(30)
  expect(vanishedAt(gone(20, ['a']), gone(30, ['b']), payment('seen', 9n, { inputs: ['b', 'c'] }))).toBe(20)
  expect(vanishedAt(gone(20, ['a', 'd']), payment('seen', 9n, { inputs: ['a'] }))).toBeNull()
})

test('parts that arrive after the settlement join it, oldest first, up to the unpaid amount', () => {
  const settling = payment('final', 900n, { id: 'first', settles: true })
  const later = (id: string, amount: bigint, paidAt: number) =>
    payment('final', amount, { id, txId: id, paidAt, seen: [{ at: paidAt, atomic: `${amount}` }] })
  const joinedOf = (payments: IncomingPayment[], more: Partial<Case> = {}) => {
    const settlement = { attemptId: 'attempt', verdict: 'short' as const }
    const paid = moved(given([settling, ...payments], { settlement }), 'settle', { transactionId: 't' })
    return ids(decide({ ...paid, ...more }).changes)
  }
  expect(joinedOf([later('b', 60n, 700), later('a', 60n, 600)])).toEqual(['a'])
  expect(joinedOf([later('b', 60n, 600), later('a', 60n, 600)])).toEqual(['a'])
  expect(joinedOf([later('a', 60n, 600), later('b', 40n, 700)])).toEqual(['a', 'b'])
  expect(joinedOf([later('large', 101n, 600), later('small', 100n, 700)])).toEqual(['small'])
  const unmatched = [{ id: 'row', incomingPaymentId: 'a', status: 'resolved' } as never]
  expect(joinedOf([later('a', 60n, 600), later('b', 60n, 700)], { unmatched })).toEqual(['b'])
  const accepted = { settlement: { attemptId: 'attempt', verdict: 'accepted' as const } }
  expect(joinedOf([later('a', 60n, 600)], accepted)).toEqual([])
})

test('an order at its expiry is checked again in a minute, or when its last lock ends', () => {
  const at = (now: number, change: Partial<Attempt> = {}, payments: IncomingPayment[] = []) => {
    const of = given(payments, { now }, change)
    return decide({ ...of, order: { ...of.order, expiresAt: 500 } }).reviewAt
  }
  const lock = { lockedUntil: 200_000, graceLimit: 300_000, graceUntil: 300_000, watchUntil: 900_000 }
  expect(at(400)).toBe(500)
  expect(at(600, lock)).toBe(200_000)
  expect(at(199_999, lock)).toBe(259_999)
  expect(at(200_001, { ...lock, checkedAt: 199_999 })).toBe(260_001)
  expect(at(200_001, { ...lock, checkedAt: 200_000 })).toBeNull()
  const seen = [payment('seen', 300n)]
  expect(at(700_000, { ...lock, checkedAt: 699_000 }, seen)).toBe(760_000)
  expect(at(900_000, { ...lock, checkedAt: 899_000 }, seen)).toBe(960_000)
  expect(at(900_001, { ...lock, checkedAt: 899_000 }, seen)).toBeNull()
})

test('an unmatched payment has its reason, its value and the missing amount', () => {
  const facts = (paidAt: number, more: Partial<Case> = {}, amount = 600n) => {
    const late = payment('final', amount, {
      paidAt,
      minedAt: paidAt,
      seen: [{ at: paidAt, atomic: `${amount}` }],
    })
    const { changes } = decide(given([late], { now: WATCH_END + 1, ...more }, { checkedAt: WATCH_END + 1 }))
    return changes.find(change => change.do === 'add unmatched')?.facts
  }
  const rateOf = () => '10000'
  expect(facts(500)).toMatchObject({ reason: 'underpaid', value: '6.00 USD', missing: { amount: '4.00' } })
  expect(facts(GRACE_END + 1, { rateOf })).toMatchObject({ reason: 'late', value: '6.00 USD' })
  expect(facts(WATCH_END, { rateOf, asksLate: true })).toMatchObject({ reason: 'late' })
  expect(facts(WATCH_END + 1, { rateOf })).toMatchObject({ reason: 'too_late' })
  expect(facts(LOCK_END, {}, 999n)).toMatchObject({ missing: { amount: '0.01', of: '10.00 USD' } })
  const unpriced = facts(GRACE_END + 1)
  expect(unpriced).toMatchObject({ reason: 'late', value: null, missing: null })
})

test('the row of small payments that were joined has the value of all that arrived so far', () => {
  const of = new Story('25.00')
  const row = () => of.of.unmatched.map(({ value, shortfall }) => ({ value, shortfall }))
  of.read('btc asks 25 > gets 5 > at 2 h')
  expect(row()).toEqual([{ value: '5.00', shortfall: '20.00' }])
  of.changeLast({ amountAtomic: 9_000_000n, seen: [{ at: 0, atomic: '9000000' }] })
  of.read('check')
  expect(row()).toEqual([{ value: '9.00', shortfall: '16.00' }])
})

test('a row says what is missing without payments that are only seen', () => {
  const of = new Story('25.00')
  of.read('btc asks 25 > gets 5 > at 2 h > ltc asks 20 > sees 8')
  expect(of.of.unmatched).toMatchObject([{ value: '5.00', shortfall: '20.00' }])
})

test('a row keeps its value and says nothing of a missing amount while its payment is in no block', () => {
  const of = new Story('25.00')
  of.read('btc asks 25 > gets 5 > at 2 h')
  for (const change of [{ state: 'seen' as const }, { state: 'gone' as const }]) {
    of.changeLast({ ...change, minedAt: null, height: null }, null)
    of.read('check')
    expect(of.of.unmatched).toMatchObject([{ value: '5.00', shortfall: null }])
  }
})

test('the row of a card payment keeps the value that arrived when a part of it is taken back', () => {
  const of = new Story('25.00')
  of.read('card asks 25 > gets 10 > at 25 h')
  of.of = { ...of.of, takenBackOf: () => 400n }
  of.read('check')
  expect(of.of.unmatched).toMatchObject([{ value: '10.00', shortfall: '19.00' }])
})

test.each([
  ['in another coin', 'btc asks 25 > gets 10 usdc'],
  ['after the grace, if the merchant decides about those', 'btc asks 25 > late ask > at 2 h > gets 10'],
  ['after the watch', 'btc asks 25 > at 8 d > gets 10'],
  ['on a page after the watch', 'card asks 25 > at 8 d > gets 10'],
])('a payment %s is credited to its attempt once the merchant accepts it', (_, story) => {
  const of = new Story('25.00')
  of.read(story)
  expect(of.of.attempts[0]?.attempt.credited).toBe(0n)
  for (const sentence of ['accept all', 'check']) {
    of.read(sentence)
    const credit = 1_000n * VALUE_UNIT
    expect(of.of.attempts[0]?.attempt).toMatchObject({ credited: credit, settledCredit: credit })
    expect(of.changes.filter(one => one.do === 'mail buyer')).toEqual([])
  }
  expect(of.changes).toEqual([])
})

test('an overpaid order has its excess, in its coin unless a part of it was late', () => {
  const factsOf = (of: Case) =>
    decide(of).changes.flatMap(change => (change.do === 'notify' ? [change.facts] : []))
  const over = { about: 'settled_over', due: '0.001 polygon/usdc' }
  expect(factsOf(given([payment('final', 1000n)]))).toEqual([])
  expect(factsOf(given([payment('final', 1200n)]))).toMatchObject([
    { ...over, arrived: '0.0012 polygon/usdc', extra: '0.0002 polygon/usdc' },
  ])
  const late = payment('final', 1200n, {
    paidAt: GRACE_END + 1,
    minedAt: GRACE_END + 1,
    seen: [{ at: GRACE_END + 1, atomic: '1200' }],
  })
  expect(factsOf(given([late], { now: GRACE_END + 2, rateOf: () => '10000' }))).toMatchObject([
    { about: 'settled_late', value: '12.00 USD' },
    { about: 'settled_over', arrived: '12.00 USD', due: '10.00 USD', extra: '2.00 USD' },
  ])
})

test('an order that a page and a coin paid with too little is short by the sum that arrived', () => {
  const of = new Story('25.00')
  of.read('card asks 25 > card usually brings 93 % > gets 22 > btc asks the rest')
  of.read('less than 0.20 cannot be paid > btc gets 2.85')
  expect(of.changes.flatMap(one => (one.do === 'notify' ? [one.facts] : []))).toEqual([
    { about: 'settled_short', arrived: '24.85 USD', due: '25.00 USD', missing: '0.15 USD' },
  ])
})

test('buyers get a mail about a part while the order is unpaid, but not about a part that completes it', () => {
  const mailsOf = (of: Case) =>
    decide(of).changes.flatMap(change => (change.do === 'mail buyer' ? [change.kind] : []))
  expect(mailsOf(given([payment('seen', 300n)]))).toEqual(['part'])
  expect(mailsOf(given([payment('seen', 9n)]))).toEqual([])
  expect(mailsOf(given([payment('seen', 1000n)]))).toEqual([])
  expect(mailsOf(given([payment('seen', 990n)], {}, { tolerance: 10n * VALUE_UNIT }))).toEqual([])
  expect(mailsOf(moved(given([payment('seen', 300n)]), 'expire'))).toEqual([])
})

test('an attempt for the rest of an order is confirming once it covers that rest', () => {
  const rest = { priced: '6.00', dueAtomic: 600n, thresholdAtomic: 600n }
  const stateOf = (amount: bigint) =>
    changeOf(decide(given([payment('seen', amount)], {}, rest)).changes).state
  expect([599n, 600n].map(stateOf)).toEqual(['underpaid', 'confirming'])
})

test('an attempt is confirming once seen payments cover the order up to its tolerance', () => {
  const stateOf = (amount: bigint) =>
    changeOf(decide(given([payment('seen', amount)], {}, { tolerance: 10n * VALUE_UNIT })).changes).state
  expect([989n, 990n].map(stateOf)).toEqual(['underpaid', 'confirming'])
})

test('an attempt of a paid order has only the payments that settled it', () => {
  const own = payment('final', 1000n, { settles: true })
  const more = payment('final', 500n)
  const settlement = { attemptId: 'attempt', verdict: 'exact' as const }
  const paid = moved(given([own, more], { settlement }), 'settle', { transactionId: 't' })
  expect(changeOf(decide(paid).changes)).toMatchObject({ receivedAtomic: 1000n, confirmedAtomic: 1000n })
})

test('the buyer gets a mail about a payment that settles nothing', () => {
  const late = payment('final', 1000n, { paidAt: WATCH_END + 1, minedAt: WATCH_END + 1 })
  const { changes } = decide(given([late], { now: WATCH_END + 2, rateOf: () => '10000' }))
  expect(changes).toContainEqual({ do: 'mail buyer', kind: 'unmatched', attempt: attempt() })
})

test('another coin pays until the watch ends, and is not an event of the requested coin', () => {
  const litecoin = { id: 'ltc', ticker: 'LTC', name: 'Litecoin', decimals: 6 } as Asset
  const ltc = { countsOther: () => true, assetOf: () => litecoin, rateOf: () => '10000' }
  const doneAt = (paidAt: number, state: 'seen' | 'final' = 'final') => {
    const times = { paidAt, minedAt: paidAt, seen: [{ at: paidAt, atomic: '1000' }] }
    const other = payment(state, 1000n, { assetId: 'ltc', ...times })
    return decide(given([other], { ...ltc, now: WATCH_END + 2 })).changes.map(change => change.do)
  }
  expect(doneAt(WATCH_END)).toContain('pay')
  expect(doneAt(WATCH_END + 1)).not.toContain('pay')
  expect(doneAt(500, 'seen')).not.toContain('record event')
})
