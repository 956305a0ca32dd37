import { expect, test } from 'bun:test'
import { startOfDay } from '../../../src/domain/calendar.ts'
import { addSums, hasEvents, noPayments, noSums, QUARTER_HOUR_MS } from '../../../src/domain/statistics.ts'

test('sums are added and subtracted by name', () => {
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

test('missing sums count as zero in every sum', () => {
  expect(Object.values(noSums).filter(value => BigInt(value) !== 0n)).toEqual([])
})

test('in every time zone, a day begins when a quarter hour of the statistics begins', () => {
  const zones = Intl.supportedValuesOf('timeZone')
  const starts = zones.map(zone => startOfDay('2026-03-01', zone))
  expect(zones.filter((_, at) => starts[at]! % QUARTER_HOUR_MS !== 0)).toEqual([])
})

test('a period has events if one of its counts is not zero, whatever its amounts are', () => {
  const periods = [noSums, { ...noSums, gross: 5n }, { ...noSums, cancelledCount: 1 }]
  expect(periods.map(hasEvents)).toEqual([false, false, true])
})
