import { type Html, html } from '../html.ts'
import { chart } from './chart.ts'
import { type FigureRow, figureTable } from './figure-table.ts'
import type { DashboardLocale } from './locale.ts'
import { chips, field, message, select } from './parts.ts'
import type { Choice, Figures, PaymentCells, PeriodCells, ReportsModel } from './reports-model.ts'

const choiceLinks = <Key extends string>(
  label: string,
  choices: readonly Choice<Key>[],
  nameOf: (key: Key) => string,
): Html =>
  chips(
    label,
    choices.map(({ key, url, isCurrent }) => [url, nameOf(key), isCurrent]),
  )

const dayField = (name: string, label: string, value: string): Html =>
  field({ name, label, value, type: 'date' })

/** The form for the days. It works without JavaScript, and the days are part of the URL. */
const daysForm = ({ texts: { reports } }: DashboardLocale, { from, to, kept }: ReportsModel): Html =>
  html`<form method="get" action="/dashboard/reports" class="row days">
${Object.entries(kept).map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`)}
${dayField('from', reports.from, from)}
${dayField('to', reports.to, to)}
<button class="quiet">${reports.show}</button>
</form>`

const summary = ({ texts: { reports } }: DashboardLocale, { total, forced, cancelled }: Figures): Html =>
  html`<section class="card" aria-labelledby="summary"><h2 id="summary">${reports.summary}</h2>
<dl class="facts">
<dt>${reports.gross}</dt><dd>${total.gross}</dd>
<dt>${reports.fees}</dt><dd>${total.fees}</dd>
<dt>${reports.refunds}</dt><dd>${total.refunds}</dd>
<dt>${reports.net}</dt><dd><strong>${total.net}</strong></dd>
<dt>${reports.conversion}</dt><dd>${total.conversion}</dd>
${forced && html`<dt>${reports.forced}</dt><dd>${forced}</dd>`}
${cancelled && html`<dt>${reports.cancelled}</dt><dd>${cancelled}</dd>`}
</dl>
<p class="hint">${reports.notes.conversion} ${reports.notes.fees}${forced && ` ${reports.notes.forced}`}</p>
</section>`

const moneyHeads = ({ texts: { reports } }: DashboardLocale): string[] => [
  reports.gross,
  reports.fees,
  reports.refunds,
  reports.net,
  reports.paid,
]
const moneyFigures = ({ paid, gross, fees, refunds, net }: PaymentCells): string[] => [
  gross,
  fees,
  refunds,
  net,
  paid,
]

const periodRow = (cells: PeriodCells): FigureRow => ({
  name: cells.name,
  figures: [...moneyFigures(cells), cells.orders, cells.conversion],
})

function periodTable(locale: DashboardLocale, { periods, total }: Figures): Html {
  const { reports } = locale.texts
  return html`${figureTable({
    id: 'periods',
    caption: reports.periods,
    heads: [reports.period, ...moneyHeads(locale), reports.orders, reports.conversion],
    rows: periods.map(periodRow),
    total: periodRow({ ...total, name: reports.total }),
  })}
<p class="hint">${reports.leftOut}</p>`
}

function partTable(
  locale: DashboardLocale,
  id: string,
  [caption, name]: [caption: string, name: string],
  parts: readonly (PaymentCells & { url?: string })[],
): Html | null {
  if (parts.length === 0) return null
  const rows = parts.map(part => ({
    name: part.name,
    ...(part.url && { url: part.url }),
    figures: moneyFigures(part),
  }))
  return figureTable({ id, caption, heads: [name, ...moneyHeads(locale)], rows })
}

function figuresOf(locale: DashboardLocale, figures: Figures): Html {
  const { reports } = locale.texts
  return html`${summary(locale, figures)}
${figures.chart ? chart(figures.chart) : html`<p>${reports.empty}</p>`}
${figures.periods.length > 0 && periodTable(locale, figures)}
${partTable(locale, 'methods', [reports.methods, reports.method], figures.methods)}
${partTable(locale, 'assets', [reports.assets, reports.asset], figures.assets)}`
}

/** The form for bookkeepers' files of the chosen days. */
function booksForm({ texts: { reports } }: DashboardLocale, model: ReportsModel): Html {
  const { from, to, shownCurrency, formats, exportUrl } = model
  const hidden = { from, to, ...(shownCurrency && { currency: shownCurrency }) }
  return html`<section class="card" aria-labelledby="books"><h2 id="books">${reports.books}</h2>
<p>${reports.booksAbout}</p>
<form method="get" action="/dashboard/reports/books">
${Object.entries(hidden).map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`)}
<div class="columns">
${select({
  name: 'format',
  label: reports.format,
  hint: reports.formatHint({ currency: shownCurrency ?? '' }),
  value: 'csv',
  options: formats,
})}
${select({
  name: 'separator',
  label: reports.separator,
  value: 'usual',
  options: Object.entries(reports.separators),
})}
</div>
<button class="quiet">${reports.download}</button>
</form>
<p><a href="${exportUrl}" download>${reports.export}</a></p>
</section>`
}

/** The report of a shop's sales by day, week or month. */
export function reportsBody(locale: DashboardLocale, model: ReportsModel): Html {
  const { reports } = locale.texts
  const { figures, problem, range, currencies, csvUrl, soldUrl, taxUrl } = model
  const several = currencies.length > 1
  return html`<h1>${reports.title}</h1>
${choiceLinks(reports.presets, model.presets, key => reports.preset[key])}
${daysForm(locale, model)}
${choiceLinks(reports.by, model.lengths, key => reports.length[key])}
${several && choiceLinks(reports.currency, currencies, key => key)}
${problem && message('warn', problem)}
${range && html`<p class="soft">${range}</p>`}
${figures ? figuresOf(locale, figures) : !problem && html`<p>${reports.none}</p>`}
${several && partTable(locale, 'currencies', [reports.currencies, reports.currency], currencies)}
${
  figures &&
  html`<section aria-labelledby="downloads"><h2 id="downloads">${reports.downloads}</h2>
<p><a href="${soldUrl}">${reports.sold}</a></p>
<p><a href="${taxUrl}">${reports.tax}</a></p>
<p><a href="${csvUrl}" download>${reports.csv}</a></p></section>
${booksForm(locale, model)}`
}`
}
