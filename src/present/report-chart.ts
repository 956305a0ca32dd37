import type { ChartModel } from '../../views/dashboard/chart.ts'
import type { DashboardLocale } from '../../views/dashboard/locale.ts'
import { dateTimeFormat, numberFormat } from '../../views/formats.ts'
import { addDays, type CalendarDate, type PeriodLength } from '../domain/calendar.ts'
import { amountOf } from '../domain/money.ts'
import type { Report } from '../operations/reports/read.ts'

/** Words and number formats of one report. */
export interface Formats {
  locale: DashboardLocale
  currency: string
}

/** Formats an exact amount: "$25.00". */
export const moneyOf = ({ locale, currency }: Formats, minor: bigint): string =>
  locale.money({ amount: amountOf(minor, currency), currency })

/** Formats a value on the axis of a chart: "$1.5K". */
const axisMoney = ({ locale, currency }: Formats, minor: number): string => {
  const options = { style: 'currency', currency, notation: 'compact', maximumFractionDigits: 2 } as const
  const amount = amountOf(BigInt(minor), currency)
  return numberFormat(locale.formats, options).format(amount as unknown as number)
}

const noon = (day: CalendarDate): Date => new Date(`${day}T12:00:00Z`)

/** Formats a range of days: "Nov 22, 2026", "Nov 16 – 22, 2026", "November 2026". */
export function rangeText(
  { formats: tag }: DashboardLocale,
  first: CalendarDate,
  last: CalendarDate,
  by?: PeriodLength,
): string {
  const isMonth = by === 'month' && first.endsWith('-01') && addDays(last, 1).endsWith('-01')
  const options: Intl.DateTimeFormatOptions = isMonth
    ? { month: 'long', year: 'numeric' }
    : { dateStyle: 'medium' }
  const format = dateTimeFormat(tag, { ...options, timeZone: 'UTC' })
  return first === last || isMonth ? format.format(noon(first)) : format.formatRange(noon(first), noon(last))
}

const LABELS_MAX = 4

/** Picks some of the names at equal distances, including the first and the last. */
function someOf(names: string[]): string[] {
  const last = names.length - 1
  const count = [LABELS_MAX, 3, 2].find(one => last > 0 && last % (one - 1) === 0) ?? 2
  if (last <= 0) return names
  return Array.from({ length: count }, (_, index) => names[Math.round((index * last) / (count - 1))] ?? '')
}

/** The chart of sales and refunds; null if there were none. `names` are the names of the periods. */
export function chartOf(formats: Formats, { periods, total }: Report, names: string[]): ChartModel | null {
  if (total.paidCount === 0 && total.refundedCount === 0) return null
  const { reports } = formats.locale.texts
  const grossIn = (index: number): bigint => periods[index]?.sums.gross ?? 0n
  const most = periods.reduce((best, { sums }, index) => (sums.gross > grossIn(best) ? index : best), 0)
  const grossAt = (index: number) => moneyOf(formats, grossIn(index))
  return {
    id: 'sales',
    title: reports.chart,
    description: reports.chartText({ most: grossAt(most), period: names[most] ?? '' }),
    bars: periods.map(({ sums }, index) => ({
      label: reports.barText({
        period: names[index] ?? '',
        sales: grossAt(index),
        refunds: moneyOf(formats, sums.refunded),
      }),
      up: Number(sums.gross),
      down: Number(sums.refunded),
    })),
    periods: someOf(names),
    legend: { up: reports.gross, down: reports.refunds },
    format: value => axisMoney(formats, value),
  }
}
