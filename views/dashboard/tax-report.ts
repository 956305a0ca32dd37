import { type Html, html } from '../html.ts'
import { type FigureRow, figureTable } from './figure-table.ts'
import type { DashboardLocale } from './locale.ts'

export interface TaxReportModel {
  range: string
  /** countries, with the rate or the reason for no tax, the net amount, the tax, and their sum */
  rows: readonly FigureRow[]
  /** sums of net amount and tax, and their sum */
  total: readonly string[]
  /** sales without tax settings; null if there were none */
  untaxed: string | null
  csvUrl: string
  /** true for people who may change the tax settings */
  hasSettings: boolean
}

/** The taxes of the sales, by country and rate. */
export function taxReportBody({ texts: { reports } }: DashboardLocale, model: TaxReportModel): Html {
  const { range, rows, total, untaxed, csvUrl, hasSettings } = model
  const { taxCountry, taxNet, taxAmount } = reports.columns
  return html`<p><a href="/dashboard/reports">${reports.title}</a></p>
<h1>${reports.tax}</h1>
<p class="soft">${reports.taxRange({ days: range })}</p>
${
  rows.length === 0
    ? html`<p>${reports.taxNone}
${hasSettings && html`<a href="/dashboard/settings/tax">${reports.taxSettings}</a>`}</p>`
    : html`${figureTable({
        id: 'taxes',
        caption: reports.tax,
        heads: [taxCountry, reports.taxRate, taxNet, taxAmount, reports.taxGross],
        rows,
        total: { name: reports.total, figures: ['', ...total] },
      })}
<p class="hint">${reports.taxHint}</p>
<p><a href="${csvUrl}" download>${reports.taxCsv}</a></p>`
}
${untaxed !== null && html`<p>${reports.untaxed({ amount: untaxed })}</p>`}`
}
