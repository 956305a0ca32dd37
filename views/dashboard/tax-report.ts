import { type Html, html } from '../html.ts'
import { type FigureRow, figureTable } from './figure-table.ts'
import type { DashboardLocale } from './locale.ts'

export interface TaxReportModel {
  range: string
  /** by country: its name, the rate or why there is no tax, net, tax, and their sum */
  rows: readonly FigureRow[]
  /** net, tax, and their sum */
  total: readonly string[]
  /** what was sold without tax settings; null for nothing */
  untaxed: string | null
  csvUrl: string
  /** for people who may change the tax settings */
  hasSettings: boolean
}

/** The tax of what was sold, by country and rate. */
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
