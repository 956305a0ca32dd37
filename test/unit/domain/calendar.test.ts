import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import {
  addDays,
  countDays,
  dateAt,
  isDate,
  periodsOf,
  startOfDay,
  timeZoneNamed,
} from '../../../src/domain/calendar.ts'

const HOUR_MS = 3600_000
const QUARTER_HOUR_MS = 900_000

test.each<[text: string, isOne: boolean]>([
  ['2026-03-01', true],
  ['2024-02-29', true],
  ['2026-02-29', false],
  ['2026-13-01', false],
  ['2026-3-1', false],
  ['2026-03-01T00:00', false],
  ['', false],
])('%p is a date: %p', (text, isOne) => {
  expect(isDate(text)).toBe(isOne)
})

test.each<[name: string, found: string | null]>([
  ['Europe/Berlin', 'Europe/Berlin'],
  ['europe/berlin', 'Europe/Berlin'],
  ['America/Argentina/Buenos_Aires', 'America/Argentina/Buenos_Aires'],
  ['utc', 'UTC'],
  ['Etc/GMT+5', 'Etc/GMT+5'],
  // An offset is not a time zone: it has no summer time.
  ['+02:00', null],
  ['Mars/Olympus', null],
  ['', null],
  ["UTC'--", null],
])('the time zone %p is %p', (name, found) => {
  expect(timeZoneNamed(name)).toBe(found)
})

describe('days in a time zone', () => {
  test.each<[zone: string, date: string, hours: number]>([
    ['UTC', '2026-03-29', 24],
    ['Europe/Berlin', '2026-03-29', 23],
    ['Europe/Berlin', '2026-10-25', 25],
    ['Europe/Berlin', '2026-10-26', 24],
    ['America/New_York', '2026-03-08', 23],
    ['America/New_York', '2026-11-01', 25],
    ['Australia/Lord_Howe', '2026-04-05', 24.5],
    ['Asia/Kathmandu', '2026-03-01', 24],
    // The clocks went forward at midnight.
    ['America/Sao_Paulo', '2018-11-04', 23],
  ])('in %s, %s has %p hours', (zone, date, hours) => {
    const [day] = periodsOf(date, date, 'day', zone)
    expect(((day?.to ?? 0) - (day?.from ?? 0)) / HOUR_MS).toBe(hours)
  })

  test('start where the former one ends, at a quarter hour in UTC, in every zone', () => {
    const days = fc.integer({ min: 0, max: 30_000 }).map(count => addDays('2012-01-01', count))
    const zones = fc.constantFrom(...Intl.supportedValuesOf('timeZone'))
    fc.assert(
      fc.property(days, zones, (date, zone) => {
        const start = startOfDay(date, zone)
        expect(dateAt(start, zone)).toBe(date)
        expect(dateAt(start - 1, zone) < date).toBe(true)
        expect(start % QUARTER_HOUR_MS).toBe(0)
      }),
      { numRuns: 2000 },
    )
  })
})

describe('periods', () => {
  const daysOf = (first: string, last: string, by: 'day' | 'week' | 'month') =>
    periodsOf(first, last, by, 'Europe/Berlin').map(({ firstDay, lastDay }) => `${firstDay} ${lastDay}`)

  test('are days, weeks from Monday, or months, and are cut at both ends', () => {
    expect(daysOf('2026-02-27', '2026-03-02', 'day')).toEqual([
      ...['2026-02-27 2026-02-27', '2026-02-28 2026-02-28', '2026-03-01 2026-03-01', '2026-03-02 2026-03-02'],
    ])
    expect(daysOf('9999-12-31', '9999-12-31', 'day')).toEqual(['9999-12-31 9999-12-31'])
    expect(daysOf('9999-12-30', '9999-12-31', 'week')).toEqual(['9999-12-30 9999-12-31'])
    expect(daysOf('2025-12-31', '2026-01-13', 'week')).toEqual([
      '2025-12-31 2026-01-04',
      '2026-01-05 2026-01-11',
      '2026-01-12 2026-01-13',
    ])
    expect(daysOf('2024-01-15', '2024-03-01', 'month')).toEqual([
      '2024-01-15 2024-01-31',
      '2024-02-01 2024-02-29',
      '2024-03-01 2024-03-01',
    ])
  })

  test('of a year follow each other without a gap', () => {
    const periods = periodsOf('2026-01-01', '2026-12-31', 'day', 'America/New_York')
    expect(periods).toHaveLength(countDays('2026-01-01', '2026-12-31'))
    expect(periods).toHaveLength(365)
    expect(periods.slice(1).filter(({ from }, index) => from !== periods[index]?.to)).toEqual([])
  })

  test('of a range of one day are that day alone', () => {
    for (const by of ['day', 'week', 'month'] as const) {
      expect(daysOf('2026-03-01', '2026-03-01', by)).toEqual(['2026-03-01 2026-03-01'])
    }
  })
})
