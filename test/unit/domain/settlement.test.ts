import { describe, expect, test } from 'bun:test'
import type { Attempt } from '../../../src/domain/attempt.ts'
import type { IncomingPayment } from '../../../src/domain/payment.ts'
import { assess, countingPayments } from '../../../src/domain/settlement.ts'
import {
  attempt,
  GRACE_END,
  grid,
  LOCK_END,
  payment,
  permutations,
  providerAttempt,
  terms,
  WATCH_END,
} from './given.ts'

/** Around the end of the grace: the clock, and when the chain was last asked. */
const moments: Record<string, [now: number, checkedAt: number | null]> = {
  'lock, never': [LOCK_END - 1, null],
  'lock, asked': [LOCK_END - 1, LOCK_END - 1],
  'grace, asked': [GRACE_END - 1, GRACE_END - 1],
  'grace, ahead': [GRACE_END - 1, GRACE_END],
  'end, never': [GRACE_END, null],
  'end, before': [GRACE_END, GRACE_END - 1],
  'end, then': [GRACE_END, GRACE_END],
  'after, never': [WATCH_END + 1, null],
  'after, before': [WATCH_END + 1, GRACE_END - 1],
  'after, then': [WATCH_END + 1, GRACE_END + 1],
}
const IN_LOCK: [number, null] = [0, null]

const verdictAndState = (
  to: Attempt,
  payments: IncomingPayment[],
  [now, checkedAt] = IN_LOCK as [number, number | null],
) => {
  const { verdict, state } = assess(to, payments, terms(), now, checkedAt)
  return `${verdict} ${state}`
}

const late = { paidAt: GRACE_END + 1 }
const foreign = { assetId: 'polygon/usdt' }

describe('the state of an attempt, by what arrived and when it is asked', () => {
  const arrivals: Record<string, IncomingPayment[]> = {
    nothing: [],
    'too little, seen': [payment('seen', 999n)],
    'too little, final': [payment('final', 999n)],
    'enough, seen': [payment('seen', 1_000n)],
    'enough, half of it final': [payment('final', 500n), payment('seen', 500n)],
    'enough, final': [payment('final', 1_000n)],
    'too much, final': [payment('final', 1_001n)],
    'enough, but gone again': [payment('gone', 1_000n)],
    'enough, of another asset': [payment('final', 1_000n, foreign)],
    'nothing at all, seen': [payment('seen', 0n)],
    'nothing at all, final': [payment('final', 0n)],
  }
  const rows = grid(`
    arrived                  | lock, never   | lock, asked   | grace, asked  | grace, ahead  | end, never    | end, before   | end, then     | after, never  | after, before | after, then
    nothing                  | waiting       | waiting       | waiting       | waiting       | waiting       | waiting       | expired       | waiting       | waiting       | expired
    too little, seen         | underpaid     | underpaid     | underpaid     | underpaid     | underpaid     | underpaid     | expired       | underpaid     | underpaid     | expired
    too little, final        | underpaid     | underpaid     | underpaid     | underpaid     | underpaid     | underpaid     | expired       | underpaid     | underpaid     | expired
    enough, seen             | confirming    | confirming    | confirming    | confirming    | confirming    | confirming    | confirming    | confirming    | confirming    | confirming
    enough, half of it final | confirming    | confirming    | confirming    | confirming    | confirming    | confirming    | confirming    | confirming    | confirming    | confirming
    enough, final            | settled       | settled       | settled       | settled       | settled       | settled       | settled       | settled       | settled       | settled
    too much, final          | settled       | settled       | settled       | settled       | settled       | settled       | settled       | settled       | settled       | settled
    enough, but gone again   | waiting       | waiting       | waiting       | waiting       | waiting       | waiting       | expired       | waiting       | waiting       | expired
    enough, of another asset | waiting       | waiting       | waiting       | waiting       | waiting       | waiting       | expired       | waiting       | waiting       | expired
    nothing at all, seen     | waiting       | waiting       | waiting       | waiting       | waiting       | waiting       | expired       | waiting       | waiting       | expired
    nothing at all, final    | waiting       | waiting       | waiting       | waiting       | waiting       | waiting       | expired       | waiting       | waiting       | expired
  `)
  test.each(rows)('$row; $column: $cell', ({ row, column, cell }) => {
    const [now, checkedAt] = moments[column]!
    expect<string>(assess(attempt(), arrivals[row]!, terms(), now, checkedAt).state).toBe(cell)
  })
})

describe('the verdict on one final payment of 1000 units due, by amount and time', () => {
  const times: Record<string, number> = {
    'in the lock': 0,
    'after the lock': LOCK_END + 1,
    'end of grace': GRACE_END,
    'just after': GRACE_END + 1,
    'end of watch': WATCH_END,
    'after watch': WATCH_END + 1,
  }
  const amountOf = (text: string) => BigInt(text)
  const verdictFor = (to: Attempt, row: string, column: string) =>
    assess(to, [payment('final', amountOf(row), { paidAt: times[column]! })], terms(), 0, null).verdict

  test.each(
    grid(`
    crypto   | in the lock    | after the lock | end of grace   | just after     | end of watch   | after watch
    0        | none           | none           | none           | none           | none           | none
    1        | partial        | partial        | partial        | partial        | partial        | partial
    849      | partial        | partial        | partial        | partial        | partial        | partial
    999      | partial        | partial        | partial        | partial        | partial        | partial
    1000     | exact          | exact          | exact          | late           | late           | partial
    1001     | over           | over           | over           | late           | late           | partial
    2000     | over           | over           | over           | late           | late           | partial
  `),
  )('crypto: $row, $column: $cell', ({ row, column, cell }) => {
    expect<string>(verdictFor(attempt(), row, column)).toBe(cell)
  })

  test.each(
    grid(`
    tolerant | in the lock    | after the lock | end of grace   | just after     | end of watch   | after watch
    0        | none           | none           | none           | none           | none           | none
    1        | partial        | partial        | partial        | partial        | partial        | partial
    994      | partial        | partial        | partial        | partial        | partial        | partial
    995      | short          | short          | short          | late           | late           | partial
    999      | short          | short          | short          | late           | late           | partial
    1000     | exact          | exact          | exact          | late           | late           | partial
    1001     | over           | over           | over           | late           | late           | partial
  `),
  )('crypto, where 995 are enough: $row, $column: $cell', ({ row, column, cell }) => {
    expect<string>(verdictFor(attempt({ thresholdAtomic: 995n }), row, column)).toBe(cell)
  })

  test.each(
    grid(`
    provider | in the lock    | after the lock | end of grace   | just after     | end of watch   | after watch
    0        | none           | none           | none           | none           | none           | none
    1        | partial        | partial        | partial        | partial        | partial        | partial
    849      | partial        | partial        | partial        | partial        | partial        | partial
    850      | short          | late           | late           | late           | late           | partial
    949      | short          | late           | late           | late           | late           | partial
    950      | exact          | late           | late           | late           | late           | partial
    999      | exact          | late           | late           | late           | late           | partial
    1000     | exact          | late           | late           | late           | late           | partial
    1001     | over           | late           | late           | late           | late           | partial
  `),
  )('a provider, where 850 are enough: $row, $column: $cell', ({ row, column, cell }) => {
    expect<string>(verdictFor(providerAttempt(), row, column)).toBe(cell)
  })
})

/** Kinds of payment of half the sum due. */
const halves: Record<string, () => IncomingPayment> = {
  final: () => payment('final', 500n),
  'final, late': () => payment('final', 500n, late),
  seen: () => payment('seen', 500n),
  'seen, late': () => payment('seen', 500n, late),
  gone: () => payment('gone', 500n),
  'other asset': () => payment('final', 500n, foreign),
}

describe('two payments of half the sum, in either order', () => {
  test.each(
    grid(`
    first       | final             | final, late       | seen               | seen, late         | gone              | other asset
    final       | exact settled     | late settled      | partial confirming | partial confirming | partial underpaid | partial underpaid
    final, late | late settled      | late settled      | partial confirming | partial confirming | partial underpaid | partial underpaid
    seen        | partial confirming | partial confirming | none confirming  | none confirming    | none underpaid    | none underpaid
    seen, late  | partial confirming | partial confirming | none confirming  | none confirming    | none underpaid    | none underpaid
    gone        | partial underpaid | partial underpaid | none underpaid     | none underpaid     | none waiting      | none waiting
    other asset | partial underpaid | partial underpaid | none underpaid     | none underpaid     | none waiting      | none waiting
  `),
  )('$row and $column: $cell', ({ row, column, cell }) => {
    expect(verdictAndState(attempt(), [halves[row]!(), halves[column]!()])).toBe(cell)
  })
})

describe('three payments of half the sum, in every order', () => {
  test.each<[kinds: string, result: string]>([
    ['final + final + final', 'over settled'],
    ['final + final + final, late', 'over settled'],
    ['final + final + seen', 'exact settled'],
    ['final + final + gone', 'exact settled'],
    ['final + final + other asset', 'exact settled'],
    ['final + final, late + final, late', 'late settled'],
    ['final + final, late + seen', 'late settled'],
    ['final + final, late + gone', 'late settled'],
    ['final, late + final, late + final, late', 'late settled'],
    ['final + seen + seen', 'partial confirming'],
    ['final + seen + gone', 'partial confirming'],
    ['final + gone + gone', 'partial underpaid'],
    ['final + gone + other asset', 'partial underpaid'],
    ['final, late + seen + seen', 'partial confirming'],
    ['seen + seen + seen', 'none confirming'],
    ['seen + seen + gone', 'none confirming'],
    ['seen + gone + other asset', 'none underpaid'],
    ['gone + gone + gone', 'none waiting'],
    ['gone + other asset + other asset', 'none waiting'],
  ])('%s: %s', (kinds, result) => {
    for (const some of permutations(kinds.split(' + '))) {
      const payments = some.map(kind => halves[kind]!())
      expect(verdictAndState(attempt(), payments)).toBe(result)
    }
  })
})

describe('sums are exact at any size', () => {
  const eighteen = 999_999_999_999_999_999n
  test.each<[size: string, due: bigint, parts: bigint[], receivedAtomic: bigint, result: string]>([
    ['one unit, nothing', 1n, [], 0n, 'none waiting'],
    ['one unit', 1n, [1n], 1n, 'exact settled'],
    ['one unit, twice', 1n, [1n, 1n], 2n, 'over settled'],
    ['two units, half', 2n, [1n], 1n, 'partial underpaid'],
    ['two units in two', 2n, [1n, 1n], 2n, 'exact settled'],
    ['a satoshi short of a bitcoin', 100_000_000n, [99_999_999n], 99_999_999n, 'partial underpaid'],
    ['a bitcoin', 100_000_000n, [99_999_999n, 1n], 100_000_000n, 'exact settled'],
    [
      '18 digits, one short',
      eighteen,
      [999_999_999_999_999_998n],
      999_999_999_999_999_998n,
      'partial underpaid',
    ],
    ['18 digits', eighteen, [999_999_999_999_999_998n, 1n], eighteen, 'exact settled'],
    ['18 digits, one over', eighteen, [eighteen, 1n], 1_000_000_000_000_000_000n, 'over settled'],
    [
      'beyond the precision of a double',
      9_007_199_254_740_993n,
      [9_007_199_254_740_992n],
      9_007_199_254_740_992n,
      'partial underpaid',
    ],
    [
      '10^30 in thousand parts',
      10n ** 30n,
      Array.from({ length: 1_000 }, () => 10n ** 27n),
      1_000_000_000_000_000_000_000_000_000_000n,
      'exact settled',
    ],
  ])('%s', (_size, due, parts, receivedAtomic, result) => {
    const to = attempt({ dueAtomic: due, thresholdAtomic: due })
    const payments = parts.map(part => payment('final', part))
    expect(assess(to, payments, terms(), 0, null)).toMatchObject({
      receivedAtomic,
      confirmedAtomic: receivedAtomic,
    })
    expect(verdictAndState(to, payments)).toBe(result)
  })
})

describe('what a provider reports by its status alone is never added to anything', () => {
  const kinds: Record<string, (amount: bigint) => IncomingPayment> = {
    callback: amount => payment('final', amount),
    'callback seen': amount => payment('seen', amount),
    status: amount => payment('final', amount, { txIn: null }),
    'status seen': amount => payment('seen', amount, { txIn: null }),
    'status gone': amount => payment('gone', amount, { txIn: null }),
    'status late': amount => payment('final', amount, { txIn: null, ...late }),
    'callback late': amount => payment('final', amount, late),
  }
  const rows: [parts: string, receivedAtomic: bigint, confirmedAtomic: bigint, result: string][] = [
    ['status 500', 500n, 500n, 'partial underpaid'],
    ['status 850', 850n, 850n, 'short settled'],
    ['status 500 + status 500', 500n, 500n, 'partial underpaid'],
    ['status 500 + status 900', 900n, 900n, 'short settled'],
    ['callback 500 + status 500', 500n, 500n, 'partial underpaid'],
    ['callback 400 + status 900', 900n, 900n, 'short settled'],
    ['callback 900 + status 400', 900n, 900n, 'short settled'],
    ['callback 500 + callback 500', 1_000n, 1_000n, 'exact settled'],
    ['callback 500 + callback 500 + status 500', 1_000n, 1_000n, 'exact settled'],
    ['callback 500 + callback 500 + status 1100', 1_100n, 1_100n, 'over settled'],
    ['callback 300 + callback 300 + status 849', 849n, 849n, 'partial underpaid'],
    ['callback 500 + status seen 1000', 1_000n, 500n, 'partial confirming'],
    ['callback seen 500 + status 900', 900n, 900n, 'short settled'],
    ['callback seen 500 + callback 500', 1_000n, 500n, 'partial confirming'],
    ['status gone 1000', 0n, 0n, 'none waiting'],
    ['status gone 1000 + callback 500', 500n, 500n, 'partial underpaid'],
    ['status late 900', 900n, 900n, 'late settled'],
    ['status late 900 + callback 500', 900n, 900n, 'late settled'],
    ['status 900 + callback late 500', 900n, 900n, 'short settled'],
    ['callback 500 + callback late 500', 1_000n, 1_000n, 'late settled'],
    ['status 1000 + status 1000 + status 1000', 1_000n, 1_000n, 'exact settled'],
  ]
  test.each(rows)('%s', (parts, receivedAtomic, confirmedAtomic, result) => {
    for (const some of permutations(parts.split(' + '))) {
      const payments = some.map(part => {
        const [, kind = '', amount = ''] = /^(.*) (\d+)$/.exec(part) ?? []
        return kinds[kind]!(BigInt(amount))
      })
      expect(assess(providerAttempt(), payments, terms(), 0, null)).toMatchObject({
        receivedAtomic,
        confirmedAtomic,
      })
      expect(verdictAndState(providerAttempt(), payments)).toBe(result)
    }
  })

  test('on a chain of our own every payment adds up, though its payer is not known', () => {
    const payments = [payment('final', 500n, { txIn: null }), payment('final', 500n, { txIn: null })]
    expect(verdictAndState(attempt(), payments)).toBe('exact settled')
  })
})

describe('confirmations are those of the youngest payment that counts', () => {
  const deep = (confirmations: number, change: Partial<IncomingPayment> = {}) =>
    payment('seen', 1n, { confirmations, ...change })
  test.each<[name: string, payments: IncomingPayment[], confirmations: number | null]>([
    ['none', [], null],
    ['one', [deep(3)], 3],
    ['one in the mempool', [deep(0)], 0],
    ['two', [deep(9), deep(3)], 3],
    ['one of them is gone', [deep(9), deep(0, { state: 'gone' })], 9],
    ['one of them is of another asset', [deep(9), deep(2, foreign)], 9],
    ['only one that is gone', [deep(9, { state: 'gone' })], null],
    ['only one of another asset', [deep(9, foreign)], null],
  ])('%s', (_name, payments, confirmations) => {
    expect(assess(attempt(), payments, terms(), 0, null).confirmations).toBe(confirmations)
  })
})

test('payments that count are of the asset asked for, and still on their chain', () => {
  const seen = payment('seen', 1n)
  const final = payment('final', 1n)
  const others = [payment('gone', 1n), payment('final', 1n, foreign), payment('gone', 1n, foreign)]
  expect(countingPayments(attempt(), [others[0]!, seen, others[1]!, final, others[2]!])).toEqual([
    seen,
    final,
  ])
})
