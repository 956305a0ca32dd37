import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { addSums, dayOf, noPayments, noSums } from '../../../src/domain/statistics.ts'

const DAY_MS = 86_400_000

describe('sums fall on the day in UTC', () => {
  test.each<[instant: number, day: string]>([
    [0, '1970-01-01'],
    [86_399_999, '1970-01-01'],
    [86_400_000, '1970-01-02'],
    [951_782_399_999, '2000-02-28'],
    [951_782_400_000, '2000-02-29'],
    [951_868_800_000, '2000-03-01'],
    [1_709_164_800_000, '2024-02-29'],
    [1_767_225_599_999, '2025-12-31'],
    [1_767_225_600_000, '2026-01-01'],
    [4_107_542_399_999, '2100-02-28'],
    [4_107_542_400_000, '2100-03-01'],
    [253_402_300_799_999, '9999-12-31'],
  ])('%p is on %s', (instant, day) => {
    expect(dayOf(instant)).toBe(day)
  })

  test('a day has 24 hours, and later is never an earlier day', () => {
    const instants = fc.integer({ min: 0, max: 253_402_300_799_999 - DAY_MS })
    fc.assert(
      fc.property(instants, fc.integer({ min: 0, max: DAY_MS - 1 }), (instant, more) => {
        const start = instant - (instant % DAY_MS)
        expect(dayOf(start + more)).toBe(dayOf(start))
        expect(dayOf(start + DAY_MS) > dayOf(start)).toBe(true)
      }),
    )
  })
})

test('sums are added and subtracted, and nothing else is', () => {
  const sums = addSums(
    { ...noSums, gross: 5n, paidCount: 2 },
    { gross: 2n ** 70n, paidCount: 1, pending: -3n },
  )
  expect(sums).toEqual({ ...noSums, gross: 2n ** 70n + 5n, paidCount: 3, pending: -3n })
  expect(addSums(sums, { gross: 2n ** 70n, paidCount: 3 }, -1)).toEqual({
    ...noSums,
    gross: 5n,
    pending: -3n,
  })
  const row = { gross: 1n, pending: 7n, startsAt: 900_000 }
  expect(addSums({ ...noPayments }, row)).toEqual({ ...noPayments, gross: 1n })
})

test('no sums are nothing in every sum', () => {
  expect(Object.values(noSums).filter(value => BigInt(value) !== 0n)).toEqual([])
})
