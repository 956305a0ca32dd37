import { expect, test } from 'bun:test'
import type { IncomingPayment } from '../../../../src/domain/payment.ts'
import { mergeReport, type ReportedPayment } from '../../../../src/operations/incoming/merge.ts'
import { attempt } from '../../domain/given.ts'
import { merged, reported } from './reports.ts'

const final = { final: true, height: 7 }
const ofProvider = { final: true }
/** The transaction of a joined payment, see `joinSmall`. */
const SMALL = 'small:one:7'

test.each<[what: string, first: ReportedPayment, second: ReportedPayment, amount: bigint]>([
  ['that is seen, more', reported('a', 5n), reported('a', 7n), 7n],
  ['that is seen, less', reported('a', 5n), reported('a', 3n), 3n],
  ['that becomes final, less', reported('a', 5n), reported('a', 3n, final), 3n],
  ['that is final, more', reported('a', 5n, final), reported('a', 7n, final), 7n],
  ['that is final, more in the mempool', reported('a', 5n, final), reported('a', 7n), 5n],
  ['of a provider, more', reported('a', 5n, ofProvider), reported('a', 7n, ofProvider), 5n],
  ['that is final, less', reported('a', 5n, final), reported('a', 3n, final), 5n],
  [
    'known by a total alone, its own callback',
    reported('a', 9n, { ...ofProvider, txIn: null }),
    reported('a', 5n, ofProvider),
    5n,
  ],
  [
    'known by its callback, a total',
    reported('a', 5n, ofProvider),
    reported('a', 9n, { ...ofProvider, txIn: null }),
    5n,
  ],
  ['joined of several and seen, less', reported(SMALL, 5n, { height: 7 }), reported(SMALL, 3n), 3n],
  ['joined of several and final, more', reported(SMALL, 5n, final), reported(SMALL, 7n, final), 7n],
  ['joined of several and final, less', reported(SMALL, 5n, final), reported(SMALL, 3n, final), 5n],
])('a payment has the right amount after a report of one %s', (_what, first, second, amount) => {
  const [payment] = merged(merged([], [first]), [second])
  expect(payment).toMatchObject({ amountAtomic: amount })
  expect(payment!.seen.at(-1)!.atomic).toBe(`${amount}`)
})

test('a payment that settled its order keeps its amount', () => {
  const known = merged([], [reported('a', 5n)]).map(payment => ({ ...payment, settles: true }))
  for (const amount of [3n, 7n]) expect(merged(known, [reported('a', amount)])[0]!.amountAtomic).toBe(5n)
})

test('a payment that moves to another block is valued again, unless it settled its order', () => {
  const at = (paidAt: number) => [reported('a', 5n, { ...final, paidAt })]
  const moved = (settles: boolean) => {
    const known = merged([], at(10)).map(payment => ({ ...payment, settles, rate: '2', counts: true }))
    return merged(known, at(20)).map(({ rate, counts }) => [rate, counts])
  }
  expect(moved(false)).toEqual([[null, false]])
  expect(moved(true)).toEqual([['2', true]])
})

test('a report with less information replaces neither the known transaction nor its evidence', () => {
  const callback = reported('a', 5n, { ...ofProvider, evidence: { kind: 'callback' } })
  const total = reported('a', 9n, { ...ofProvider, txIn: null, evidence: { kind: 'total' } })
  expect(merged(merged([], [callback]), [total])[0]).toMatchObject({
    txIn: 'a',
    evidence: { kind: 'callback' },
  })
  expect(merged(merged([], [total]), [callback])[0]).toMatchObject({
    txIn: 'a',
    evidence: { kind: 'callback' },
  })
  const whole = reported(SMALL, 5n, { ...final, txIn: null, evidence: { count: 2 } })
  const part = reported(SMALL, 3n, { ...final, evidence: { count: 1 } })
  expect(merged(merged([], [whole]), [part])[0]).toMatchObject({ txIn: null, evidence: { count: 2 } })
  expect(merged(merged([], [part]), [whole])[0]).toMatchObject({ txIn: null, evidence: { count: 2 } })
})

test('two reports that identify one payment differently are one payment, unless both are known', () => {
  const byPayer = reported('a', 5n)
  const byPayout = reported('b', 5n, { txIn: 'a', txOut: 'b' })
  const known = merged([], [byPayer])
  expect(merged(known, [byPayout])).toMatchObject([{ txId: 'b', txIn: 'a', txOut: 'b' }])
  const both = [...known, ...merged([], [reported('b', 5n, { txIn: null })])]
  expect(merged(both, [byPayout]).map(({ txId, txIn }) => [txId, txIn])).toEqual([
    ['a', 'a'],
    ['b', null],
  ])
})

test('a payment that a complete report lacks is gone, and returns with the next report', () => {
  const known = merged([], [reported('a', 5n), reported('b', 5n, { height: 9 })])
  const lack = (completeFrom: number | null, source = 'polygon') =>
    merged(known, [], { source, completeFrom }).map(({ state }) => state)
  expect(lack(null)).toEqual(['seen', 'seen'])
  expect(lack(0, 'base')).toEqual(['seen', 'seen'])
  expect(lack(10)).toEqual(['gone', 'seen'])
  expect(lack(9)).toEqual(['gone', 'gone'])
  const back = merged(merged(known, []), [reported('b', 5n, { height: 9 })], { completeFrom: null })
  expect(back.map(({ state }) => state)).toEqual(['gone', 'seen'])
})

test('outputs of one transaction, and a transaction repeated on another chain, are separate payments', () => {
  const first = merged([], [reported('a', 5n), reported('a', 6n, { txIndex: '1' })])
  const elsewhere = first.map(payment => ({ ...payment, id: `${payment.id} elsewhere`, source: 'base' }))
  const after = merged([...elsewhere, ...first], [reported('a', 7n), reported('a', 8n, { txIndex: '1' })])
  expect(after.map(({ amountAtomic }) => amountAtomic)).toEqual([5n, 6n, 7n, 8n])
})

test('a payment in a block has the time of the block, unless it cannot be read', () => {
  const times = (change: Partial<ReportedPayment>) =>
    merged([], [reported('a', 5n, change)]).map(({ minedAt, paidAt }) => [minedAt, paidAt])
  expect(times({})).toEqual([[null, 10]])
  expect(times({ height: 7 })).toEqual([[10, 10]])
  expect(times({ height: 7, isUndated: true })).toEqual([[null, 10]])
})

test('each change of a report is listed', () => {
  const about = { attempt: attempt(), present: new Set<string>(), now: 100, newId: () => 'new' }
  const report = { source: 'polygon', completeFrom: 0, askedAt: 100 }
  const inBlock = reported('b', 5n, { height: 9, confirmations: 3 })
  const known = merged([], [reported('a', 5n), inBlock])
  const { changes } = mergeReport(about, known, { ...report, detectedPayments: [reported('c', 5n), inBlock] })
  expect(changes).toMatchObject([
    { do: 'add payment', payment: { id: 'new', txId: 'c' } },
    { do: 'change payment', change: { height: 9, confirmations: 3 } },
    { do: 'change payment', id: known[0]!.id, change: { state: 'gone', confirmations: 0 } },
  ])
})

test('a payment in an earlier part of a report is not gone', () => {
  const about = { attempt: attempt(), present: new Set<string>(), now: 100, newId: () => 'new' }
  const part = (txId: string, completeFrom: number | null, known: readonly IncomingPayment[]) =>
    mergeReport(about, known, {
      source: 'polygon',
      detectedPayments: [reported(txId, 5n)],
      completeFrom,
      askedAt: 100,
    }).payments
  const after = part('b', 0, part('a', null, []))
  expect(after.map(({ txId, state }) => [txId, state])).toEqual([
    ['a', 'seen'],
    ['b', 'seen'],
  ])
})
