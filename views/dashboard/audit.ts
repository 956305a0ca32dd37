import { type Html, html } from '../html.ts'
import { developerTabs } from './developer-tabs.ts'
import { type DashboardLocale, dashboardLanguageNames } from './locale.ts'
import { chips, pageLinks, table, time } from './parts.ts'

export type AuditAction = keyof DashboardLocale['texts']['audit']['actions']

export interface AuditRow {
  at: number
  /** author of the change: an ID or an email address; the command line and the server have no name */
  actor: { kind: 'cli' | 'server' | 'key' | 'testKey' | 'user'; name: string }
  action: AuditAction
  subject: string
  /** changed fields; a value is null if the field had or has none */
  changes: readonly { field: string; before: unknown; after: unknown }[]
  requestId: string | null
  /** IP address; for a command, the login name of the person who ran it */
  client: string | null
}

export interface AuditModel {
  /** `all` if the rows include changes that the server made by itself */
  by: 'all' | 'others'
  rows: readonly AuditRow[]
  newestUrl: string | null
  olderUrl: string | null
}

function actorText({ texts: { audit } }: DashboardLocale, { kind, name }: AuditRow['actor']): string {
  if (kind === 'cli' || kind === 'server') return audit.actors[kind]
  return audit.actors[kind]({ id: name })
}

/** The field's name. The field of a wallet is called after its network. */
function fieldName({ texts: { audit, payouts } }: DashboardLocale, field: string): Html {
  const names: Record<string, string> = { ...payouts.networks, ...audit.fields }
  return Object.hasOwn(names, field) ? html`<dt>${names[field]}</dt>` : html`<dt class="code">${field}</dt>`
}

/** For each field with fixed values, the words for them. */
function wordsOf({ texts }: DashboardLocale): Record<string, Record<string, string>> {
  const { audit, developers, frame, orders, payouts, settings, timeline } = texts
  return {
    by: audit.ways,
    cryptoFirst: audit.routes,
    events: timeline.eventNames,
    kind: { ...payouts.kinds, ...audit.factors },
    language: dashboardLanguageNames,
    late: settings.choices.late,
    secondFactor: settings.choices.secondFactor,
    mode: developers.modes,
    network: payouts.networks,
    paymentMethodsKeys: { '*': audit.every, crypto: orders.crypto },
    role: frame.roles,
    scopes: developers.scopeNames,
    script: payouts.scripts,
    status: { ...orders.statuses, ...audit.statuses },
  }
}

const TIMESTAMP = /^\d{4}-\d\d-\d\dT[\d:.]+Z$/

function wordFor(locale: DashboardLocale, field: string, value: string): string {
  const words = wordsOf(locale)[field] ?? {}
  if (Object.hasOwn(words, value)) return words[value]!
  return TIMESTAMP.test(value) ? locale.dateTime(Date.parse(value)) : value
}

/** A value in words; null if there is none. */
function auditValue(locale: DashboardLocale, field: string, value: unknown): string | null {
  const { audit } = locale.texts
  if (value === null || value === undefined) return null
  if (typeof value === 'boolean') return value ? audit.yes : audit.no
  if (typeof value === 'string') return wordFor(locale, field, value)
  if (Array.isArray(value) && value.every(one => typeof one === 'string'))
    return value.map(one => wordFor(locale, field, one)).join(', ') || null
  // An image's hash means nothing to people, so all images have the same name.
  return field === 'logo' ? audit.image : JSON.stringify(value)
}

/** A change in words. If the field had no value before, only the new one is named. */
function changeText(
  locale: DashboardLocale,
  { field, before, after }: AuditRow['changes'][number],
): string | null {
  const { audit } = locale.texts
  const [from, to] = [before, after].map(value => auditValue(locale, field, value))
  if (from === null || from === undefined) return to ?? null
  return audit.change({ before: from, after: to ?? audit.nothing })
}

function row(
  locale: DashboardLocale,
  { at, actor, client, action, subject, changes, requestId }: AuditRow,
): Html {
  const { audit } = locale.texts
  return html`<tr>
<td>${time(locale, at)}</td>
<td dir="auto">${actorText(locale, actor)}
${client && html`<br><span class="code soft" dir="ltr">${client}</span>`}</td>
<td>${audit.actions[action]}<br><span class="code soft" dir="ltr">${action} ${subject}</span></td>
<td><dl class="facts">
${changes.map(change => {
  const text = changeText(locale, change)
  return (
    text !== null &&
    html`${fieldName(locale, change.field)}
<dd dir="auto">${text}</dd>
`
  )
})}</dl>
${requestId && html`<p class="soft code">${audit.request({ id: requestId })}</p>`}</td>
</tr>`
}

export function auditTable(locale: DashboardLocale, rows: readonly AuditRow[]): Html {
  const { audit } = locale.texts
  const { time, who, action, what } = audit.columns
  const cells = rows.map(one => row(locale, one))
  return table(audit.title, [time, who, action, what], cells)
}

/** The audit log of a shop. */
export function auditBody(locale: DashboardLocale, model: AuditModel): Html {
  const { audit } = locale.texts
  return html`<h1>${audit.title}</h1>
${developerTabs(locale, 'audit', true)}
<p>${audit.hint}</p>
${chips(audit.by.title, [
  ['/dashboard/audit', audit.by.others, model.by === 'others'],
  ['/dashboard/audit?by=all', audit.by.all, model.by === 'all'],
])}
${model.rows.length === 0 ? html`<p class="empty">${audit.none}</p>` : auditTable(locale, model.rows)}
${pageLinks(audit.title, model, { newest: audit.newer, older: audit.older })}`
}
