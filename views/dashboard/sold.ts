import { type Html, html } from '../html.ts'
import { figureTable } from './figure-table.ts'
import type { DashboardLocale } from './locale.ts'

interface SoldRow {
  /** null for sales without a product or person */
  name: string | null
  count: string
  gross: string
  before: string
}

export interface SoldModel {
  range: string
  before: string
  products: readonly SoldRow[]
  people: readonly SoldRow[]
}

/** Sales by product and by person, compared with the previous period. */
export function soldBody({ texts: { reports } }: DashboardLocale, model: SoldModel): Html {
  const part = (id: string, caption: string, none: string, rows: readonly SoldRow[]): Html =>
    figureTable({
      id,
      caption,
      heads: [caption, reports.paid, reports.gross, reports.before],
      rows: rows.map(({ name, count, gross, before }) => ({
        name: name ?? none,
        figures: [count, gross, before],
      })),
    })
  const isEmpty = model.products.length === 0
  return html`<p><a href="/dashboard/reports">${reports.title}</a></p>
<h1>${reports.sold}</h1>
<p class="soft">${reports.soldRange({ days: model.range, before: model.before })}</p>
${isEmpty && html`<p>${reports.empty}</p>`}
${!isEmpty && part('products', reports.byProduct, reports.noProduct, model.products)}
${!isEmpty && part('people', reports.byPerson, reports.noPerson, model.people)}`
}
