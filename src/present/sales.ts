import type { DashboardLocale } from '../../views/dashboard/locale.ts'
import type { SalesModel, SalesRow } from '../../views/dashboard/sales.ts'
import { hasEvents, type Sums } from '../domain/statistics.ts'
import type { Report } from '../operations/reports/read.ts'
import { chartOf, type Formats, moneyOf, rangeText } from './report-chart.ts'

function rowOf(locale: DashboardLocale, currency: string, sums: Sums, name = currency): SalesRow {
  const formats: Formats = { locale, currency }
  return {
    name,
    orders: locale.number(sums.createdCount),
    paid: locale.number(sums.convertedCount),
    gross: moneyOf(formats, sums.gross),
    refunds: moneyOf(formats, sums.refunded),
    net: moneyOf(formats, sums.net),
  }
}

/** The sales of the last days for the overview; null if there were no orders. */
export function presentSales(locale: DashboardLocale, report: Report): SalesModel | null {
  const { currency, periods } = report
  const used = report.currencies.filter(({ sums }) => hasEvents(sums))
  if (currency === null || used.length === 0) return null
  const names = periods.map(({ period }) => rangeText(locale, period.firstDay, period.lastDay))
  return {
    currencies: used.map(one => rowOf(locale, one.currency, one.sums)),
    days: periods.flatMap(({ sums }, index) =>
      hasEvents(sums) ? [rowOf(locale, currency, sums, names[index])] : [],
    ),
    chart: chartOf({ locale, currency }, report, names),
  }
}
