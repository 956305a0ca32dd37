import { expect, test } from 'bun:test'
import { formatTimestamp } from '../../../src/domain/timestamp.ts'

const DAY_MS = 86_400_000
const noon = Date.UTC(2026, 10, 22, 12)
/** The last time that a date can hold. */
const LAST = 8.64e15

test('a time is written like toISOString, whatever was written before', () => {
  const edges = [0, noon, Date.UTC(1969, 11, 31), Date.UTC(2028, 1, 29), Date.UTC(10_000, 0), -LAST, LAST]
  const around = edges.flatMap(at => [-DAY_MS, -1, 0, 1, 999, 59_999, DAY_MS - 1].map(by => at + by))
  const spread = Array.from({ length: 2000 }, (_, index) => noon + index * 7_777_777_777 - 2 ** 42)
  const valid = [...around, ...spread].filter(at => Math.abs(at) <= LAST)
  for (const at of [...valid, ...valid.toReversed(), noon + 0.5]) {
    expect(formatTimestamp(at)).toBe(new Date(at).toISOString())
  }
  for (const at of [Number.NaN, LAST + 1, Number.POSITIVE_INFINITY]) {
    expect(() => formatTimestamp(at)).toThrow(RangeError)
  }
})
