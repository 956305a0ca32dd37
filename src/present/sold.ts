import type { DashboardLocale } from '../../views/dashboard/locale.ts'
import type { SoldModel } from '../../views/dashboard/sold.ts'
import type { Sold, SoldReport } from '../operations/reports/sold.ts'
import { moneyOf, rangeText } from './report-chart.ts'

/** Sales by product and by person. People are named by their email address. */
export function presentSold(
  locale: DashboardLocale,
  { firstDay, lastDay, before, products, people }: SoldReport,
  currency: string,
  emails: ReadonlyMap<string, string>,
): SoldModel {
  const rowOf = ({ name, count, gross, before: former }: Sold) => ({
    name: name?.startsWith('user:') ? (emails.get(name.slice(5)) ?? name) : name,
    count: locale.number(count),
    gross: moneyOf({ locale, currency }, gross),
    before: moneyOf({ locale, currency }, former),
  })
  return {
    range: rangeText(locale, firstDay, lastDay),
    before: rangeText(locale, ...before),
    products: products.map(rowOf),
    people: people.map(rowOf),
  }
}
