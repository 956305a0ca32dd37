import type { DashboardLocale } from '../../views/dashboard/locale.ts'
import type { TaxReportModel } from '../../views/dashboard/tax-report.ts'
import { amountOf } from '../domain/money.ts'
import type { TaxedSum, TaxReport } from '../operations/reports/taxed.ts'
import { percentOf } from './books/columns.ts'
import { csvFile } from './csv.ts'
import { moneyOf, rangeText } from './report-chart.ts'
import { rateText } from './tax.ts'

const totalOf = (sums: readonly TaxedSum[]) =>
  sums.reduce((all, { net, tax }) => ({ net: all.net + net, tax: all.tax + tax }), { net: 0n, tax: 0n })

/** A report as JSON. Amounts are decimal strings of its currency, rates are in percent. */
export function presentTaxReport({ timeZone, firstDay, lastDay, currency, sums, untaxed }: TaxReport) {
  const amounts = ({ net, tax }: Pick<TaxedSum, 'net' | 'tax'>) => ({
    net: amountOf(net, currency),
    tax: amountOf(tax, currency),
    gross: amountOf(net + tax, currency),
  })
  return {
    ...{ from: firstDay, to: lastDay, timeZone, currency },
    items: sums.map(({ country, category, rate, ...sum }) => ({
      ...{ country, category, rate: percentOf(rate) },
      ...amounts(sum),
    })),
    total: amounts(totalOf(sums)),
    untaxed: amountOf(untaxed, currency),
  }
}

const columns = ['country', 'category', 'rate', 'net', 'tax', 'gross'] as const

/** The sums of a report as a CSV file, in pieces. */
export function taxReportCsv(report: TaxReport): AsyncGenerator<string> {
  const { items, currency } = presentTaxReport(report)
  const rows = items.map(item => [...columns.map(name => item[name]), currency])
  return csvFile([...columns, 'currency'], rows)
}

/** The tax of a range of days, as a table of the dashboard. */
export function presentTaxPage(
  locale: DashboardLocale,
  report: TaxReport,
  links: Pick<TaxReportModel, 'csvUrl' | 'hasSettings'>,
): TaxReportModel {
  const { firstDay, lastDay, currency, sums, untaxed } = report
  const { taxCategories } = locale.texts.order
  const countries = new Intl.DisplayNames(locale.formats, { type: 'region' })
  const money = (minor: bigint): string => moneyOf({ locale, currency }, minor)
  const figures = ({ net, tax }: Pick<TaxedSum, 'net' | 'tax'>) => [net, tax, net + tax].map(money)
  return {
    range: rangeText(locale, firstDay, lastDay),
    rows: sums.map(sum => ({
      name: countries.of(sum.country) ?? sum.country,
      figures: [
        sum.category === 'S' ? rateText(locale.formats, sum.rate) : taxCategories[sum.category],
        ...figures(sum),
      ],
    })),
    total: figures(totalOf(sums)),
    untaxed: untaxed === 0n ? null : money(untaxed),
    ...links,
  }
}
