import { expect, test } from 'bun:test'
import { formatTimestamp, parseTimestamp } from '../../../src/domain/timestamp.ts'

const DAY_MS = 86_400_000
const noon = Date.UTC(2026, 10, 22, 12)
/** The last time that a date can hold. */
const LAST = 8.64e15

test('times are formatted like toISOString, in whatever order they come', () => {
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

test('every day of a leap year and of another year is parsed', () => {
  for (let at = Date.UTC(2027, 0); at < Date.UTC(2029, 0); at += DAY_MS)
    expect(parseTimestamp(formatTimestamp(at))).toBe(at)
})

test('a time is read with its offset', () => {
  const at = Date.UTC(2026, 10, 22, 12, 34, 56)
  for (const text of ['2026-11-22T12:34:56Z', '2026-11-22t12:34:56.000z', '2026-11-22T14:04:56+01:30'])
    expect(parseTimestamp(text)).toBe(at)
  expect(parseTimestamp('2028-02-29T23:59:59+23:59')).toBe(Date.UTC(2028, 1, 29, 0, 0, 59))
})

test.each([
  ...['2026-00-22T12:34:56Z', '2026-13-22T12:34:56Z', '2026-11-00T12:34:56Z', '2026-11-31T12:34:56Z'],
  ...['2026-02-29T12:34:56Z', '2026-11-22T24:00:00Z', '2026-11-22T12:60:00Z', '2026-11-22T12:34:60Z'],
  ...['2026-11-22T12:34:56+24:00', '2026-11-22T12:34:56+01:60', '2026-11-22T12:34:56', '2026-11-22'],
])('%s is not a time', text => {
  expect(parseTimestamp(text)).toBeNull()
})
