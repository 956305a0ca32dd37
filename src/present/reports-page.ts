import type { DashboardLocale } from '../../views/dashboard/locale.ts'
import {
  type Choice,
  type Figures,
  type PaymentCells,
  type PeriodCells,
  presets,
  type ReportsModel,
} from '../../views/dashboard/reports-model.ts'
import { addDays, type CalendarDate, type PeriodLength, periodLengths } from '../domain/calendar.ts'
import { fiatCurrency } from '../domain/fiat.ts'
import { amountOf } from '../domain/money.ts'
import { feesOf, type PaymentSums, type Sums } from '../domain/statistics.ts'
import type { Report } from '../operations/reports/read.ts'
import type { ReportQuery, ReportRange } from './report-range.ts'

/** The words and formats of the figures of one report. */
interface Formats {
  locale: DashboardLocale
  currency: string
}

const made = new Map<string, Intl.NumberFormat>()

function formatOf(tag: string, options: Intl.NumberFormatOptions): Intl.NumberFormat {
  const key = `${tag} ${JSON.stringify(options)}`
  const format = made.get(key) ?? new Intl.NumberFormat(tag, options)
  made.set(key, format)
  return format
}

/** An exact amount: "$25.00". */
const moneyOf = ({ locale, currency }: Formats, minor: bigint): string => {
  const amount = amountOf(minor, currency)
  const minimumFractionDigits = (amount.split('.')[1] ?? '').length
  const options = { style: 'currency', currency, minimumFractionDigits } as const
  return formatOf(locale.formats, options).format(amount as unknown as number)
}

/** A value on the axis of a chart: "$1.5K". */
const axisMoney = ({ locale, currency }: Formats, minor: number): string => {
  const options = { style: 'currency', currency, notation: 'compact', maximumFractionDigits: 2 } as const
  const amount = amountOf(BigInt(minor), currency)
  return formatOf(locale.formats, options).format(amount as unknown as number)
}

const paymentCells = (formats: Formats, name: string, sums: PaymentSums): PaymentCells => ({
  name,
  paid: formats.locale.number(sums.paidCount),
  gross: moneyOf(formats, sums.gross),
  fees: moneyOf(formats, feesOf(sums)),
  refunds: moneyOf(formats, sums.refunded),
  net: moneyOf(formats, sums.net),
})

function conversionOf({ locale }: Formats, { createdCount, convertedCount }: Sums): string {
  if (createdCount === 0) return '–'
  const percent = formatOf(locale.formats, { style: 'percent', maximumFractionDigits: 1 })
  const [paid, orders] = [convertedCount, createdCount].map(locale.number)
  return locale.texts.reports.conversionOf(
    paid ?? '',
    orders ?? '',
    percent.format(convertedCount / createdCount),
  )
}

const periodCells = (formats: Formats, name: string, sums: Sums): PeriodCells => ({
  ...paymentCells(formats, name, sums),
  orders: formats.locale.number(sums.createdCount),
  conversion: conversionOf(formats, sums),
})

/** The name of a method: people know "stripe" by it; "crypto" has a word of its own. */
const methodName = ({ texts: { reports } }: DashboardLocale, key: string): string =>
  key === 'crypto' ? reports.crypto : key

const hasEvents = (sums: Sums): boolean =>
  Object.values(sums).some(value => typeof value === 'number' && value !== 0)

const LABELS_MAX = 4

/** Some of the names, from the first to the last, with equal distances. */
function someOf(names: string[]): string[] {
  const last = names.length - 1
  const count = [LABELS_MAX, 3, 2].find(one => last > 0 && last % (one - 1) === 0) ?? 2
  if (last <= 0) return names
  return Array.from({ length: count }, (_, index) => names[Math.round((index * last) / (count - 1))]!)
}

function chartOf(formats: Formats, { periods, total }: Report, names: string[]): Figures['chart'] {
  if (total.paidCount === 0 && total.refundedCount === 0) return null
  const { reports } = formats.locale.texts
  const most = periods.reduce(
    (best, { sums }, index) => (sums.gross > periods[best]!.sums.gross ? index : best),
    0,
  )
  const grossAt = (index: number) => moneyOf(formats, periods[index]!.sums.gross)
  return {
    id: 'sales',
    title: reports.chart,
    description: reports.chartText(grossAt(most), names[most] ?? ''),
    bars: periods.map(({ sums }, index) => ({
      label: reports.barText(names[index] ?? '', grossAt(index), moneyOf(formats, sums.refunded)),
      up: Number(sums.gross),
      down: Number(sums.refunded),
    })),
    periods: someOf(names),
    legend: { up: reports.gross, down: reports.refunds },
    format: value => axisMoney(formats, value),
  }
}

function figuresOf(formats: Formats, report: Report, assetName: (id: string) => string): Figures {
  const { total, periods, methods, assets } = report
  const names = periods.map(({ period }) =>
    rangeText(formats.locale, period.firstDay, period.lastDay, report.by),
  )
  return {
    currency: formats.currency,
    total: periodCells(formats, '', total),
    forced: total.forcedCount === 0 ? null : moneyOf(formats, total.forced),
    cancelled: total.cancelledCount === 0 ? null : moneyOf(formats, total.cancelled),
    periods: periods.flatMap(({ sums }, index) =>
      hasEvents(sums) ? [periodCells(formats, names[index] ?? '', sums)] : [],
    ),
    methods: methods.map(({ name, sums }) => paymentCells(formats, methodName(formats.locale, name), sums)),
    assets: assets.map(({ name, sums }) =>
      paymentCells(formats, fiatCurrency(name) ?? assetName(name), sums),
    ),
    chart: chartOf(formats, report, names),
  }
}

const noon = (day: CalendarDate): Date => new Date(`${day}T12:00:00Z`)
const dates = new Map<string, Intl.DateTimeFormat>()

/** Days in words: "Nov 22, 2026", "Nov 16 – 22, 2026", "November 2026". */
function rangeText(
  { formats: tag }: DashboardLocale,
  first: CalendarDate,
  last: CalendarDate,
  by?: PeriodLength,
): string {
  const isMonth = by === 'month' && first.endsWith('-01') && addDays(last, 1).endsWith('-01')
  const key = `${tag} ${isMonth}`
  const options: Intl.DateTimeFormatOptions = isMonth
    ? { month: 'long', year: 'numeric' }
    : { dateStyle: 'medium' }
  const format = dates.get(key) ?? new Intl.DateTimeFormat(tag, { ...options, timeZone: 'UTC' })
  dates.set(key, format)
  return first === last || isMonth ? format.format(noon(first)) : format.formatRange(noon(first), noon(last))
}

const PATH = '/dashboard/reports'

const urlOf = (path: string, query: Record<string, string | undefined>): string => {
  const given = Object.entries(query).filter((pair): pair is [string, string] => pair[1] !== undefined)
  return given.length === 0 ? path : `${path}?${new URLSearchParams(given)}`
}

/** The model of the page. Without a report, its range was refused, or there are no orders. */
export function presentReportsPage(
  locale: DashboardLocale,
  query: ReportQuery,
  range: ReportRange,
  report: Report | null,
  problem: string | null,
  assetName: (id: string) => string,
): ReportsModel {
  const { from, to, by, preset } = range
  const { texts } = locale
  const days = preset === null ? { from, to } : { period: preset }
  const currency = query.currency
  const link = (change: Record<string, string | undefined>): string =>
    urlOf(PATH, { ...days, by: query.by, currency, ...change })
  const choice = <Key extends string>(
    key: Key,
    isCurrent: boolean,
    change: Record<string, string | undefined>,
  ): Choice<Key> => ({
    key,
    url: link(change),
    isCurrent,
  })
  const shown = report?.currency ?? null
  const currencies = report?.currencies ?? []
  const file = (name: string) => urlOf(`${PATH}/${name}.csv`, { from, to, by, currency: shown ?? undefined })
  return {
    presets: presets.map(key =>
      choice(key, key === preset, { from: undefined, to: undefined, period: key, by: undefined }),
    ),
    lengths: periodLengths.map(key => choice(key, key === by, { by: key })),
    currencies: currencies.map(one => ({
      ...choice(one.currency, one.currency === shown, { currency: one.currency }),
      ...paymentCells({ locale, currency: one.currency }, one.currency, one.sums),
    })),
    from,
    to,
    kept: { ...(query.by && { by: query.by }), ...(currency && { currency }) },
    problem,
    range: report && texts.reports.range(rangeText(locale, report.firstDay, report.lastDay), report.timeZone),
    figures: report && shown !== null ? figuresOf({ locale, currency: shown }, report, assetName) : null,
    csvUrl: file('table'),
    exportUrl: urlOf(`${PATH}/export.csv`, { from, to }),
  }
}
