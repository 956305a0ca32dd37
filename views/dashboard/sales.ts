import { type Html, html } from '../html.ts'
import { type ChartModel, chart } from './chart.ts'
import { figureTable } from './figure-table.ts'
import type { DashboardLocale } from './locale.ts'

/** Formatted sums of a currency or of a day. */
export interface SalesRow {
  name: string
  orders: string
  /** number of paid orders */
  paid: string
  gross: string
  refunds: string
  net: string
}

export interface SalesModel {
  /** sums by currency; the first currency is that of `days` and `chart` */
  currencies: readonly SalesRow[]
  /** days that have orders or refunds */
  days: readonly SalesRow[]
  /** null if nothing was paid or refunded */
  chart: ChartModel | null
}

const figure = (name: string, value: string): Html =>
  html`<div><dt>${name}</dt><dd>${value}</dd></div>
`

const figures = ({ texts: { overview } }: DashboardLocale, sales: SalesRow, isOnly: boolean): Html => {
  const { columns } = overview
  return html`<dl class="figures">
${figure(isOnly ? columns.gross : overview.salesIn({ currency: sales.name }), sales.gross)}
${figure(columns.refunds, sales.refunds)}${figure(overview.afterAll, sales.net)}
${figure(columns.paid, overview.paidOf({ paid: sales.paid, orders: sales.orders }))}
</dl>`
}

function dayTable({ texts: { overview } }: DashboardLocale, days: readonly SalesRow[]): Html {
  const { gross, refunds, net } = overview.columns
  return html`<details><summary>${overview.byDay}</summary>
${figureTable({
  id: 'days',
  caption: overview.byDay,
  heads: [overview.day, gross, refunds, net],
  rows: days.map(day => ({ name: day.name, figures: [day.gross, day.refunds, day.net] })),
})}</details>`
}

function others({ texts: { overview } }: DashboardLocale, rows: readonly SalesRow[]): Html {
  const { currency, orders, paid, gross, refunds, net } = overview.columns
  return figureTable({
    id: 'others',
    caption: overview.others,
    heads: [currency, gross, refunds, net, orders, paid],
    rows: rows.map(row => ({
      name: row.name,
      figures: [row.gross, row.refunds, row.net, row.orders, row.paid],
    })),
  })
}

/** The sales of the last days; null if the shop has no orders. */
export function salesCard(locale: DashboardLocale, sales: SalesModel | null): Html {
  const { overview } = locale.texts
  const [main, ...rest] = sales?.currencies ?? []
  return html`<section class="card"><div class="between"><h2>${overview.sales}</h2>
<a href="/dashboard/reports">${overview.toReports}</a></div>
${main ? figures(locale, main, rest.length === 0) : html`<p>${overview.noSales}</p>`}
${sales?.chart && chart(sales.chart)}
${sales && sales.days.length > 0 && dayTable(locale, sales.days)}
${rest.length > 0 && others(locale, rest)}</section>`
}
