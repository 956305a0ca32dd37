import { expect, test } from 'bun:test'
import { learnedShare, type PageShare, pageShareOf } from '../../../src/domain/page-share.ts'

let customers = 0

const shares = (count: number, share: number, customerId?: string): PageShare[] =>
  Array.from({ length: count }, () => ({ share, customerId: customerId ?? `customer-${++customers}` }))

test('the share is the median of 20 customers, less 4 points', () => {
  expect(learnedShare(shares(19, 970_000))).toBeNull()
  expect(learnedShare(shares(20, 970_000))).toBe(930_000n)
  expect(learnedShare([...shares(10, 960_000), ...shares(10, 980_000)])).toBe(930_000n)
  expect(learnedShare([...shares(11, 960_000), ...shares(10, 980_000)])).toBe(920_000n)
})

test('only the newest 100 customers count', () => {
  const older = shares(100, 970_000)
  expect(learnedShare([...shares(49, 990_000), ...older])).toBe(930_000n)
  expect(learnedShare([...shares(51, 990_000), ...older])).toBe(950_000n)
})

test('a customer counts once, with the newest payment', () => {
  expect(learnedShare([...shares(30, 930_000, 'cheap'), ...shares(20, 970_000)])).toBe(930_000n)
  expect(learnedShare(shares(30, 970_000, 'alone'))).toBeNull()
})

test.each<[kind: 'address' | 'redirect', threshold: bigint, arrived: bigint, share: number | null]>([
  ['redirect', 850n, 970n, 970_000],
  ['redirect', 850n, 850n, 850_000],
  ['redirect', 850n, 1_000n, 1_000_000],
  ['redirect', 850n, 849n, null],
  ['redirect', 850n, 1_001n, null],
  ['redirect', 1_000n, 1_000n, null],
  ['address', 850n, 970n, null],
])(
  'a page of the kind %p for 1000, of which %p are enough, brought %p: %p',
  (kind, threshold, arrived, share) => {
    expect(pageShareOf({ kind, dueAtomic: 1_000n, thresholdAtomic: threshold }, arrived)).toBe(share)
  },
)
