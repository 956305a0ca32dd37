import { expect, test } from 'bun:test'
import type { IncomingPayment } from '../../../../src/domain/payment.ts'
import type { ReportedPayment } from '../../../../src/operations/incoming/merge.ts'
import { merged, reported } from './reports.ts'

/** The amount that was seen at the time of the first payment. */
const seenAtFirst = (payments: readonly IncomingPayment[]): bigint =>
  payments
    .filter(({ state }) => state !== 'gone')
    .flatMap(({ seen }) => seen.filter(({ at }) => at === 10))
    .reduce((sum, { atomic }) => sum + BigInt(atomic), 0n)

test.each<[what: string, first: ReportedPayment[], second: ReportedPayment[], kept: bigint]>([
  ['one that is as large', [reported('a', 5n)], [reported('b', 5n, { inputs: ['input of a'] })], 5n],
  ['a larger one', [reported('a', 5n)], [reported('b', 9n, { inputs: ['input of a'] })], 5n],
  ['a smaller one', [reported('a', 5n)], [reported('b', 3n, { inputs: ['input of a'] })], 3n],
  ['one that spends something else', [reported('a', 5n)], [reported('b', 5n)], 0n],
  [
    'two that share what it spent',
    [reported('a', 5n, { inputs: ['one', 'two'] })],
    [reported('b', 5n, { inputs: ['one'] }), reported('c', 5n, { inputs: ['two'] })],
    5n,
  ],
  [
    'two outputs of one transaction',
    [reported('a', 5n)],
    [
      reported('b', 5n, { inputs: ['input of a'] }),
      reported('b', 5n, { inputs: ['input of a'], txIndex: '1' }),
    ],
    5n,
  ],
  [
    'one that replaces two',
    [reported('a', 5n), reported('b', 5n)],
    [reported('c', 10n, { inputs: ['input of a', 'input of b'] })],
    10n,
  ],
  [
    'one that replaces two, beside another that spent one of their inputs',
    [reported('a', 5n, { inputs: ['one', 'two'] }), reported('b', 5n)],
    [reported('d', 5n, { inputs: ['one'] }), reported('c', 10n, { inputs: ['two', 'input of b'] })],
    10n,
  ],
])('%s keeps the time of the replaced payment, for at most its amount', (_what, first, second, kept) => {
  const known = merged([], first)
  const later = second.map(one => ({ ...one, paidAt: 90 }))
  const after = merged(known, later)
  expect(seenAtFirst(after)).toBe(kept)
  // The next report contains the same payments.
  expect(seenAtFirst(merged(after, later))).toBe(kept)
})

test('a replacement of a replacement keeps at most the amount of the first', () => {
  const next = (txId: string, amount: bigint) => [
    reported(txId, amount, { inputs: ['input of a'], paidAt: 90 }),
  ]
  const twice = merged(merged([], [reported('a', 5n)]), next('b', 5n))
  expect(seenAtFirst(merged(twice, next('c', 10n)))).toBe(5n)
})

test('a payment whose inputs are learned later still gets the time of the replaced payment', () => {
  const own = reported('b', 5n, { inputs: ['another'], paidAt: 90 })
  const known = merged([], [reported('a', 5n), own])
  const replacing = reported('b', 5n, { inputs: ['input of a'], paidAt: 95 })
  expect(seenAtFirst(merged(known, [replacing]))).toBe(5n)
})

const mined = { final: true, height: 5 }
/** A provider's report names no block. */
const total = reported('t', 9n, { final: true, txIn: null })
const alone = reported('t', 4n, { final: true, txIn: 'buyer' })
const small = (amountAtomic: bigint, change: object = {}) =>
  reported('small:attempt:5', amountAtomic, { ...mined, ...change })

test.each<
  [what: string, first: ReportedPayment, second: ReportedPayment, amount: bigint, txIn: string | null]
>([
  ['a payment that is not final: the last report', reported('a', 5n), reported('a', 3n), 3n, 'a'],
  ['a final payment: the larger report', reported('a', 5n, mined), reported('a', 7n, mined), 7n, 'a'],
  ['a final payment: no smaller report', reported('a', 5n, mined), reported('a', 3n, mined), 5n, 'a'],
  ['a total of a status look-up: its callback', total, alone, 4n, 'buyer'],
  ['a callback: no later total', alone, total, 4n, 'buyer'],
  [
    'a total: no callback of more than it',
    total,
    reported('t', 12n, { final: true, txIn: 'buyer' }),
    9n,
    'buyer',
  ],
  ['a joined payment: more of its parts', small(5n), small(8n, { txIn: null }), 8n, null],
  ['a joined payment: all parts that were known', small(8n, { txIn: null }), small(5n), 8n, null],
])('the counted amount of %s', (_what, first, second, amountAtomic, txIn) => {
  const [payment] = merged(merged([], [first]), [second], { completeFrom: null })
  expect(payment).toMatchObject({ amountAtomic, txIn })
})

test('money that is reported beyond joined payments that settled their order is a separate payment', () => {
  const settle = (payments: IncomingPayment[]) => payments.map(payment => ({ ...payment, settles: true }))
  const amounts = (payments: IncomingPayment[]) => payments.map(one => [one.txId, one.amountAtomic])
  const first = settle(merged([], [small(6n)]))
  const second = merged(first, [small(9n)])
  expect(amounts(second)).toEqual([
    ['small:attempt:5', 6n],
    ['small:attempt:5:1', 3n],
  ])
  expect(amounts(merged(settle(second), [small(10n)]))).toEqual([
    ['small:attempt:5', 6n],
    ['small:attempt:5:1', 3n],
    ['small:attempt:5:2', 1n],
  ])
  expect(amounts(merged(first, [small(6n)]))).toEqual([['small:attempt:5', 6n]])
})

test('a payment was moved by the first transaction of its coin that left the address after it', () => {
  const outflow = (txId: string, height: number, assetId = 'polygon/usdc') => ({ txId, height, assetId })
  const outflows = [
    outflow('later', 9),
    outflow('before', 4),
    outflow('other', 5, 'polygon/pol'),
    outflow('own', 6),
  ]
  const payments = merged([], [reported('a', 5n, mined), reported('b', 5n)], { outflows })
  expect(payments.map(({ txOut }) => txOut)).toEqual(['own', null])
  expect(merged(payments, [], { outflows }).map(({ txOut, state }) => [txOut, state])).toEqual([
    ['own', 'gone'],
    [null, 'gone'],
  ])
  const [moved] = merged([], [reported('a', 5n, mined)], { outflows: [outflow('same block', 5)] })
  expect(moved?.txOut).toBe('same block')
})

test('the former time of a block that has changed no longer counts, but the time of the first report does', () => {
  const seenIn = (...reports: [height: number | null, paidAt: number][]) => {
    const known = reports.reduce<IncomingPayment[]>(
      (payments, [height, paidAt]) => merged(payments, [reported('a', 5n, { height, paidAt })]),
      [],
    )
    return known.map(({ paidAt, minedAt, seen }) => [paidAt, minedAt, seen.map(({ at }) => at)])
  }
  // Every report is of the time 100.
  expect(seenIn([5, 10], [5, 50])).toEqual([[50, 50, [50]]])
  expect(seenIn([5, 10], [6, 150])).toEqual([[100, 150, [100]]])
  expect(seenIn([5, 10], [null, 120], [5, 150])).toEqual([[100, 150, [100]]])
  expect(seenIn([null, 10], [5, 50], [6, 150])).toEqual([[10, 150, [10]]])
})

test.each<[string, number, IncomingPayment['state']]>([
  ['whole is gone after 15 minutes', 9, 'gone'],
  ['incomplete stays', 4, 'seen'],
])('a payment that is not final, below the blocks of a report that is %s', (_, completeTo, state) => {
  const first = merged([], [reported('a', 5n, { height: 3 })])
  const after = (known: IncomingPayment[]) =>
    merged(known, [], { completeFrom: 5, completeTo }).map(one => one.state)
  const earlier = first.map(one => ({ ...one, updatedAt: one.updatedAt - 900_000 }))
  expect([after(first), after(earlier)]).toEqual([['seen'], [state]])
})

test('a payment that was final stays so below the blocks of a report, if only one endpoint reports it', () => {
  const first = merged([], [reported('a', 5n, mined)])
  const again = [reported('a', 50n, { ...mined, final: false })]
  const after = (completeFrom: number) =>
    merged(first, again, { completeFrom }).map(({ state, amountAtomic }) => [state, amountAtomic])
  expect([after(1), after(99)]).toEqual([[['seen', 5n]], [['final', 5n]]])
})

test('a payment above the newest block of a report is gone only after 15 minutes, and never if it is final', () => {
  const first = merged([], [reported('a', 5n, mined), reported('b', 5n, { height: 5 })])
  const statesAfter = (known: IncomingPayment[], completeTo: number) =>
    merged(known, [], { completeTo }).map(({ state }) => state)
  const earlier = first.map(one => ({ ...one, updatedAt: one.updatedAt - 900_000 }))
  expect(statesAfter(first, 4)).toEqual(['final', 'seen'])
  expect(statesAfter(earlier, 4)).toEqual(['final', 'gone'])
  expect(statesAfter(first, 5)).toEqual(['gone', 'gone'])
})
