import type { DashboardLocale } from '../../views/dashboard/locale.ts'
import {
  type Choice,
  type Figures,
  type PaymentCells,
  type PeriodCells,
  presets,
  type ReportsModel,
} from '../../views/dashboard/reports-model.ts'
import { numberFormat } from '../../views/formats.ts'
import { periodLengths } from '../domain/calendar.ts'
import { fiatCurrency } from '../domain/fiat.ts'
import { feesOf, hasEvents, type PaymentSums, type Sums } from '../domain/statistics.ts'
import type { Report } from '../operations/reports/read.ts'
import { bookFormatNames } from './books/formats.ts'
import { chartOf, type Formats, moneyOf, rangeText } from './report-chart.ts'
import type { ReportQuery, ReportRange } from './report-range.ts'

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
  const percent = numberFormat(locale.formats, { style: 'percent', maximumFractionDigits: 1 })
  const [paid, orders] = [convertedCount, createdCount].map(locale.number)
  return locale.texts.reports.conversionOf({
    paid: paid ?? '',
    orders: orders ?? '',
    percent: percent.format(convertedCount / createdCount),
  })
}

const periodCells = (formats: Formats, name: string, sums: Sums): PeriodCells => ({
  ...paymentCells(formats, name, sums),
  orders: formats.locale.number(sums.createdCount),
  conversion: conversionOf(formats, sums),
})

/** Names of methods and assets. */
interface Names {
  method(key: string): string
  asset(id: string): string
}

const methodName = ({ texts: { reports } }: DashboardLocale, names: Names, key: string): string =>
  key === 'crypto' ? reports.crypto : names.method(key)

function figuresOf(formats: Formats, report: Report, own: Names): Figures {
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
    methods: methods.map(({ name, sums }) =>
      paymentCells(formats, methodName(formats.locale, own, name), sums),
    ),
    assets: assets.map(({ name, sums }) =>
      paymentCells(formats, fiatCurrency(name) ?? formats.locale.coin(own.asset(name)), sums),
    ),
    chart: chartOf(formats, report, names),
  }
}

const PATH = '/dashboard/reports'

const urlOf = (path: string, query: Record<string, string | undefined>): string => {
  const given = Object.entries(query).filter((pair): pair is [string, string] => pair[1] !== undefined)
  return given.length === 0 ? path : `${path}?${new URLSearchParams(given)}`
}

/** The model of the reports page. `report` is null if its range was refused, or if there are no orders. */
export function presentReportsPage(
  locale: DashboardLocale,
  query: ReportQuery,
  range: ReportRange,
  report: Report | null,
  problem: string | null,
  names: Names,
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
    range:
      report &&
      texts.reports.range({
        days: rangeText(locale, report.firstDay, report.lastDay),
        timeZone: report.timeZone,
      }),
    figures: report && shown !== null ? figuresOf({ locale, currency: shown }, report, names) : null,
    csvUrl: file('table'),
    soldUrl: urlOf(`${PATH}/sold`, { from, to, currency: shown ?? undefined }),
    taxUrl: urlOf(`${PATH}/tax`, { from, to, currency: shown ?? undefined }),
    exportUrl: urlOf(`${PATH}/export.csv`, { from, to }),
    formats: bookFormatNames.map(name => [name, texts.reports.formats[name]]),
    shownCurrency: shown,
  }
}
