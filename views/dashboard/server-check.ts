import { type Html, html } from '../html.ts'
import type { DashboardLocale } from './locale.ts'
import { hidden, message } from './parts.ts'
import { serverHead } from './server-tabs.ts'

/** A finding of a check, in English. */
interface FindingRow {
  check: string
  message: string
  remedy: string | null
}

interface CheckModel {
  /** null until the checks are run */
  found: {
    faults: readonly FindingRow[]
    warnings: readonly FindingRow[]
    good: readonly FindingRow[]
  } | null
  problem: { text: string; detail: string | null } | null
}

const english = (text: string): Html => html`<span lang="en" dir="auto">${text}</span>`

const item = ({ check, message: text, remedy }: FindingRow): Html =>
  html`<li><strong class="code" dir="ltr">${check}</strong><br>${english(text)}
${remedy && html`<br><span class="soft">${english(remedy)}</span>`}</li>
`

const list = (title: string, rows: readonly FindingRow[]): Html | null =>
  rows.length === 0
    ? null
    : html`<section class="card"><h2>${title}</h2><ul class="plain">${rows.map(item)}</ul></section>`

/** The page on which operators check the installation. */
export function serverCheckBody(locale: DashboardLocale, { found, problem }: CheckModel): Html {
  const { check } = locale.texts
  return html`${serverHead(locale, 'check')}
${problem && message('warn', problem.text)}
${problem?.detail && html`<p class="soft">${english(problem.detail)}</p>`}
<section class="card"><h2>${check.title}</h2><p>${check.hint}</p>
<form method="post" action="/dashboard/server/check">${hidden(locale)}
<button>${found ? check.again : check.run}</button></form></section>
${
  found &&
  html`${
    found.faults.length === 0
      ? message('good', check.noFaults)
      : message('warn', check.someFaults({ count: found.faults.length }))
  }
${list(check.faults, found.faults)}
${list(check.warnings, found.warnings)}
${
  found.good.length > 0 &&
  html`<details><summary>${check.good({ count: found.good.length })}</summary>
<ul class="plain">${found.good.map(item)}</ul></details>`
}`
}`
}
