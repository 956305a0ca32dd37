import { expect, test } from 'bun:test'
import {
  endsNoticedRun,
  gapLimitFor,
  gapLimitToSee,
  isNoticed,
  isScarce,
  runLimit,
} from '../../../src/domain/unpaid-run.ts'

const run = (count: number, gap = count) => ({ count, gap })

test('public pages get three quarters of a run, and at least one address', () => {
  expect([1, 2, 4, 5, 100].map(max => runLimit(max, true))).toEqual([1, 1, 3, 3, 75])
  expect([1, 2, 4, 5, 100].map(max => runLimit(max, false))).toEqual([1, 2, 4, 5, 100])
})

test('addresses count as scarce from half of the run on', () => {
  expect([49, 50, 51].map(count => isScarce(run(count), 100))).toEqual([false, true, true])
})

test('merchants are notified at 15, 45, 95 and so on, and at the end', () => {
  const noticed = (max: number) =>
    Array.from({ length: max + 60 }, (_, count) => count).filter(count => isNoticed(run(count), max))
  expect(noticed(100)).toEqual([15, 45, 95, 100])
  expect(noticed(95)).toEqual([15, 45, 95])
  expect(noticed(200)).toEqual([15, 45, 95, 145, 195, 200])
})

test('a payment ends a run of which the merchant was notified', () => {
  expect(endsNoticedRun(run(15), run(14))).toBe(true)
  expect(endsNoticedRun(run(15), run(15))).toBe(false)
  expect(endsNoticedRun(run(14), run(0))).toBe(false)
})

test('gap limits are multiples of ten, and at least the default of wallets', () => {
  expect(gapLimitToSee(run(30, 30), run(0, 0))).toBe(30)
  expect(gapLimitToSee(run(30, 31), run(0, 0))).toBe(40)
  expect(gapLimitToSee(run(15, 15), run(14, 14))).toBe(20)
  expect([run(15), run(45), run(15, 26)].map(gapLimitFor)).toEqual([50, 100, 70])
})
