import { type Html, html } from '../html.ts'
import type { DashboardLocale } from './locale.ts'
import { hidden, live, message, table, time } from './parts.ts'
import { serverHead } from './server-tabs.ts'

const PATH = '/dashboard/server/backups'
const POLL_SECONDS = 2

/** A background task of the server, and the result of its last run. */
interface Job {
  /** start of the current run; null if the task is not running */
  since: number | null
  /** current problem in words; null if there is none */
  problem: string | null
  /** the program's message in English; null if `problem` says enough */
  detail: string | null
}

interface AutomaticModel extends Job {
  folder: string
  /** time of the newest backup; null if there is none */
  madeAt: number | null
  /** result of the last trial restore; null if there was none */
  trial: { at: number; problem: string | null } | null
  /** backup files, newest first */
  files: readonly { name: string; at: number; size: string }[]
}

interface ReplicaModel extends Job {
  /** time by which the replica lags behind, such as "3 s"; null if nothing can be restored yet */
  behind: string | null
  trial: { at: number; problem: string | null; restored: number | null } | null
}

export interface BackupsModel {
  isFile: boolean
  /** time when a backup was last made or recorded */
  lastAt: number | null
  automatic: AutomaticModel | null
  replica: ReplicaModel | null
  secretsFile: string
  done: 'recorded' | null
  problem: string | null
}

type Texts = DashboardLocale['texts']['backups']

/** The message of a program, which is in English. */
const detailText = (detail: string): Html => html`<p class="soft" lang="en" dir="auto">${detail}</p>`

const fact = (name: string, value: Html | string): Html => html`<p><strong>${name}:</strong> ${value}</p>
`

const whenText = (locale: DashboardLocale, at: number | null, never: string): Html =>
  at === null ? html`${never}` : time(locale, at)

function trialText(locale: DashboardLocale, trial: { at: number; problem: string | null } | null): Html {
  const { backups } = locale.texts
  if (trial === null) return html`${backups.neverTried}`
  return trial.problem === null
    ? html`${time(locale, trial.at)}: ${backups.trialGood}`
    : html`${time(locale, trial.at)}: ${backups.trialBad}`
}

const button = (
  locale: DashboardLocale,
  path: string,
  label: string,
  values: Record<string, string> = {},
): Html =>
  html`<form method="post" action="${PATH}${path}">${hidden(locale, values)}
<button class="quiet">${label}</button></form>`

function jobPart(locale: DashboardLocale, { since, problem, detail }: Job, running: Texts['running']): Html {
  if (since !== null) return message('good', running({ time: locale.dateTime(since) }))
  return html`${problem && message('warn', problem)}${detail && detailText(detail)}`
}

function automaticCard(locale: DashboardLocale, automatic: AutomaticModel): Html {
  const { backups } = locale.texts
  const { folder, madeAt, trial, files, since } = automatic
  return html`<section class="card"><h2>${backups.automatic}</h2>
<p>${backups.automaticHint}</p>
${jobPart(locale, automatic, backups.running)}
${fact(backups.newest, whenText(locale, madeAt, backups.none))}
${fact(backups.trial, trialText(locale, trial))}
${trial?.problem && message('warn', trial.problem)}
${fact(backups.folder, html`<span class="code" dir="ltr">${folder}</span>`)}
${
  since === null &&
  html`<div class="row">${button(locale, '', backups.make)}
${button(locale, '', backups.makeAndTry, { trial: 'yes' })}</div>`
}
${
  files.length > 0 &&
  html`<details><summary>${backups.files({ count: files.length })}</summary>
${table(
  null,
  [backups.file, backups.made, backups.size],
  files.map(
    ({ name, at, size }) => html`<tr><td class="code" dir="ltr">${name}</td><td>${time(locale, at)}</td>
<td>${size}</td></tr>
`,
  ),
)}</details>`
}</section>
${
  files.length > 0 &&
  html`<section class="card"><h2>${backups.download}</h2><p>${backups.downloadHint}</p>
${button(locale, '/download', backups.download)}</section>`
}`
}

function noneCard(locale: DashboardLocale, { isFile, lastAt }: BackupsModel): Html {
  const { backups } = locale.texts
  return html`<section class="card"><h2>${backups.automatic}</h2>
${message('warn', isFile ? backups.off : backups.postgres)}
<p>${isFile ? backups.offHint : backups.postgresHint}</p>
${fact(backups.last, whenText(locale, lastAt, backups.never))}
${!isFile && button(locale, '/record', backups.record)}</section>`
}

function replicaCard(locale: DashboardLocale, replica: ReplicaModel): Html {
  const { backups } = locale.texts
  const { behind, since, trial } = replica
  return html`<section class="card"><h2>${backups.replica}</h2><p>${backups.replicaHint}</p>
${jobPart(locale, replica, backups.trying)}
${fact(backups.behind, behind ?? backups.nothingYet)}
${fact(backups.trial, trialText(locale, trial))}
${trial?.problem && html`${detailText(trial.problem)}`}
${since === null && button(locale, '/replica', backups.tryReplica)}</section>`
}

/** The part of the page that updates itself while a backup is being made. */
export function backupsPart(locale: DashboardLocale, model: BackupsModel): Html {
  const { automatic, replica } = model
  const isRunning = [automatic, replica].some(job => job !== null && job.since !== null)
  return html`<div id="backups"${isRunning && live(`${PATH}/part`, POLL_SECONDS)}>
${automatic ? automaticCard(locale, automatic) : noneCard(locale, model)}
${replica && replicaCard(locale, replica)}</div>`
}

/** The page of the server's backups, for operators. */
export function backupsBody(locale: DashboardLocale, model: BackupsModel): Html {
  const { backups } = locale.texts
  const { done, problem, secretsFile } = model
  return html`${serverHead(locale, 'backups')}
${done && message('good', backups.recorded)}
${problem && message('warn', problem)}
${backupsPart(locale, model)}
<section class="card"><h2>${backups.missing}</h2><p>${backups.missingHint}</p>
<ul><li>${backups.missingKey}<br><span class="code" dir="ltr">${secretsFile}</span></li>
<li>${backups.missingSettings}</li>
${model.replica && html`<li>${backups.missingReplicaKey}</li>`}
<li>${backups.missingSandbox}</li></ul>
<p>${backups.restoreHint}</p></section>`
}
