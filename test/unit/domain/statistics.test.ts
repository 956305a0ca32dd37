import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { dayOf } from '../../../src/domain/statistics.ts'

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
