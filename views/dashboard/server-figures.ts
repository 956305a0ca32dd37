import { type Html, html } from '../html.ts'
import { figureTable } from './figure-table.ts'
import type { DashboardLocale } from './locale.ts'
import { serverHead } from './server-tabs.ts'

export type FigureName = keyof DashboardLocale['texts']['figures']['names']

export interface FiguresModel {
  /** formatted figures */
  figures: readonly { name: FigureName; value: string }[]
  /** jobs that are due and have not started */
  jobs: readonly { kind: string; count: string; age: string }[]
  version: string
  /** null if FLORIN_METRICS is not set */
  metrics: { address: string; text: string } | null
}

function metricsCard(locale: DashboardLocale, metrics: FiguresModel['metrics']): Html {
  const { figures } = locale.texts
  if (metrics === null)
    return html`<section class="card"><h2>${figures.metrics}</h2>
<p>${figures.metricsOff}</p></section>`
  const url = html`<span class="code" dir="ltr">http://${metrics.address}/metrics</span>`
  return html`<section class="card"><h2>${figures.metrics}</h2><p>${figures.metricsAt.html({ url })}</p>
<details><summary>${figures.metricsShow}</summary>
<pre dir="ltr" lang="en" tabindex="0" aria-label="${figures.metrics}">${metrics.text}</pre>
</details></section>`
}

/** The page with figures about the server, for operators. */
export function serverFiguresBody(locale: DashboardLocale, model: FiguresModel): Html {
  const { texts } = locale
  const { figures: names } = texts
  const { figures, jobs, version, metrics } = model
  return html`${serverHead(locale, 'figures')}
<section class="card"><h2>${names.title}</h2><p>${names.hint}</p>
<dl class="facts"><dt>${names.version}</dt><dd dir="ltr">${version}</dd>
${figures.map(
  ({ name, value }) => html`<dt>${names.names[name]}</dt><dd>${value}</dd>
`,
)}</dl></section>
<section class="card">
${
  jobs.length === 0
    ? html`<h2>${names.jobs}</h2><p class="empty">${names.noJobs}</p>`
    : figureTable({
        id: 'jobs',
        caption: names.jobs,
        heads: [names.job, names.waiting, names.oldest],
        rows: jobs.map(({ kind, count, age }) => ({ name: kind, figures: [count, age] })),
      })
}</section>
${metricsCard(locale, metrics)}`
}
