import { expect, test } from 'bun:test'
import { learnedShare, type PageShare } from '../../../src/domain/page-share.ts'

let customers = 0

const shares = (count: number, share: number, customerId?: string): PageShare[] =>
  Array.from({ length: count }, () => ({ share, customerId: customerId ?? `customer-${++customers}` }))

test('the median of 20 customers, less 4 points', () => {
  expect(learnedShare(shares(19, 970_000))).toBeNull()
  expect(learnedShare(shares(20, 970_000))).toBe(930_000n)
  expect(learnedShare([...shares(10, 960_000), ...shares(10, 980_000)])).toBe(930_000n)
  expect(learnedShare([...shares(11, 960_000), ...shares(10, 980_000)])).toBe(920_000n)
})

test('the newest 100 customers count', () => {
  const older = shares(100, 970_000)
  expect(learnedShare([...shares(49, 990_000), ...older])).toBe(930_000n)
  expect(learnedShare([...shares(51, 990_000), ...older])).toBe(950_000n)
})

test('a customer counts once, with the newest payment', () => {
  expect(learnedShare([...shares(30, 930_000, 'cheap'), ...shares(20, 970_000)])).toBe(930_000n)
  expect(learnedShare(shares(30, 970_000, 'alone'))).toBeNull()
})
