export type CalendarDate = string

export const periodLengths = ['day', 'week', 'month'] as const
export type PeriodLength = (typeof periodLengths)[number]

/** Whole days in the shop's time zone. */
export interface Period {
  firstDay: CalendarDate
  lastDay: CalendarDate
  /** start, in milliseconds since 1970 UTC */
  from: number
  /** exclusive end, in milliseconds since 1970 UTC */
  to: number
}

const datePattern = /^[0-9]{4}-[0-9]{2}-[0-9]{2}$/
const zonePattern = /^[A-Za-z][A-Za-z0-9_+-]*(\/[A-Za-z0-9_+-]+)*$/

export function isDate(text: string): boolean {
  if (!datePattern.test(text)) return false
  const at = Date.parse(`${text}T00:00:00Z`)
  return !Number.isNaN(at) && new Date(at).toISOString().startsWith(text)
}

/** The time zone in its usual spelling; null if there is no such zone. */
export function timeZoneNamed(name: string): string | null {
  if (!zonePattern.test(name)) return null
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone
  } catch {
    return null
  }
}

/** First moment of a day: 01:00 where clocks are put forward at midnight. */
export const startOfDay = (date: CalendarDate, timeZone: string): number =>
  Temporal.PlainDate.from(date).toZonedDateTime(timeZone).epochMilliseconds

export const dateAt = (at: number, timeZone: string): CalendarDate =>
  Temporal.Instant.fromEpochMilliseconds(at).toZonedDateTimeISO(timeZone).toPlainDate().toString()

/** A time as the clocks of a time zone show it, such as "2026-03-29T03:00:00+02:00". */
export const timestampIn = (at: number, timeZone: string): string =>
  Temporal.Instant.fromEpochMilliseconds(at)
    .toZonedDateTimeISO(timeZone)
    .toString({ timeZoneName: 'never', smallestUnit: 'second' })

export const addDays = (date: CalendarDate, days: number): CalendarDate =>
  Temporal.PlainDate.from(date).add({ days }).toString()

/** Number of days from the first day to the last, both included. */
export const countDays = (first: CalendarDate, last: CalendarDate): number =>
  1 + Temporal.PlainDate.from(first).until(last).days

export const firstDayOf = (date: CalendarDate, of: 'month' | 'year'): CalendarDate =>
  Temporal.PlainDate.from(date)
    .with(of === 'month' ? { day: 1 } : { month: 1, day: 1 })
    .toString()

/** Last day of the week or month of a date. Weeks start on Monday. */
function lastDayOf(date: CalendarDate, by: PeriodLength): CalendarDate {
  const day = Temporal.PlainDate.from(date)
  if (by === 'week') return day.add({ days: 7 - day.dayOfWeek }).toString()
  if (by === 'month') return day.with({ day: day.daysInMonth }).toString()
  return date
}

/** Compares dates rather than strings, because years of five digits begin with a plus sign. */
const isBefore = (a: CalendarDate, b: CalendarDate): boolean => Temporal.PlainDate.compare(a, b) < 0

/** The days, weeks or months from the first day to the last. The first and last period may be cut. */
export function periodsOf(
  firstDay: CalendarDate,
  lastDay: CalendarDate,
  by: PeriodLength,
  timeZone: string,
): Period[] {
  const periods: Period[] = []
  let from = startOfDay(firstDay, timeZone)
  for (let day = firstDay; !isBefore(lastDay, day); ) {
    const end = lastDayOf(day, by)
    const last = isBefore(end, lastDay) ? end : lastDay
    const next = addDays(last, 1)
    const to = startOfDay(next, timeZone)
    periods.push({ firstDay: day, lastDay: last, from, to })
    day = next
    from = to
  }
  return periods
}
