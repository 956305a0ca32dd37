import { type Preset, presets } from '../../views/dashboard/reports-model.ts'
import {
  addDays,
  type CalendarDate,
  countDays,
  firstDayOf,
  type PeriodLength,
  periodLengths,
} from '../domain/calendar.ts'

/** Parameters of the reports page's URL. Missing parameters have defaults. */
export interface ReportQuery {
  period?: Preset | undefined
  from?: CalendarDate | undefined
  to?: CalendarDate | undefined
  by?: PeriodLength | undefined
  currency?: string | undefined
}

export interface ReportRange {
  from: CalendarDate
  to: CalendarDate
  by: PeriodLength
  /** null for a custom range */
  preset: Preset | null
}

const DAYS_BY_DAY = 62
const DAYS_BY_WEEK = 200

const lengthFor = (days: number): PeriodLength =>
  days <= DAYS_BY_DAY ? 'day' : days <= DAYS_BY_WEEK ? 'week' : 'month'

/** The days of a period that ends today or before. */
function daysOf(preset: Preset, today: CalendarDate): [from: CalendarDate, to: CalendarDate] {
  if (preset === 'today') return [today, today]
  if (preset === '7d') return [addDays(today, -6), today]
  if (preset === '30d') return [addDays(today, -29), today]
  const month = firstDayOf(today, 'month')
  if (preset === 'month') return [month, today]
  if (preset === 'year') return [firstDayOf(today, 'year'), today]
  const lastDay = addDays(month, -1)
  return [firstDayOf(lastDay, 'month'), lastDay]
}

/** The days that a URL asks for: a custom range, or the days of a preset period. */
export function rangeOfQuery(query: ReportQuery, today: CalendarDate): ReportRange {
  const { from, to, by } = query
  if (from !== undefined || to !== undefined) {
    const range = { from: from ?? to ?? today, to: to ?? today }
    return { ...range, by: by ?? 'day', preset: null }
  }
  const preset = query.period ?? '30d'
  const [first, last] = daysOf(preset, today)
  return { from: first, to: last, by: by ?? lengthFor(countDays(first, last)), preset }
}

/** Parses the parameters of a URL. Ignores unknown values; days are checked when they are used. */
export function readReportQuery(given: Record<string, string | undefined>): ReportQuery {
  const { from, to, currency } = given
  return {
    period: presets.find(one => one === given.period),
    by: periodLengths.find(one => one === given.by),
    from: from || undefined,
    to: to || undefined,
    currency: currency || undefined,
  }
}
