import { type Html, html } from '../html.ts'
import { developerTabs } from './developer-tabs.ts'
import type { DashboardLocale } from './locale.ts'
import { consequence, copyable, describedBy, field, hidden, message, time } from './parts.ts'

type KeyState = 'active' | 'replaced' | 'expired' | 'revoked'
export type Overlap = keyof DashboardLocale['texts']['developers']['overlaps']
type ScopeName = keyof DashboardLocale['texts']['developers']['scopeNames']

export interface KeyRow {
  id: string
  label: string | null
  mode: 'live' | 'test'
  /** first characters of the key, by which people recognize it */
  prefix: string
  /** null if the key has all scopes */
  scopes: readonly ScopeName[] | null
  createdAt: number
  lastUsedAt: number | null
  expiresAt: number | null
  state: KeyState
}

/** Values of the form that creates a key. */
export interface KeyForm {
  label: string
  mode: string
  scopes: readonly string[]
  /** number of days; empty for a key that never expires */
  expires: string
}

interface DevelopersModel {
  keys: readonly KeyRow[]
  form: KeyForm
  allScopes: readonly ScopeName[]
  expiries: readonly number[]
  overlaps: readonly Overlap[]
  /** names of the invalid fields */
  wrong: readonly string[]
  problem: string | null
  isRevoked: boolean
  /** new key; `formerUntil` is the end of the key that it replaces, null if that has ended already */
  created: { text: string; formerUntil?: number | null } | null
  /** example of a command that creates an order */
  command: string
}

function createdCard(locale: DashboardLocale, created: DevelopersModel['created']): Html | null {
  if (!created) return null
  const { developers } = locale.texts
  const { text, formerUntil } = created
  const former = formerUntil
    ? developers.formerUntil({ time: locale.dateTime(formerUntil) })
    : developers.formerEnded
  return html`<div class="card" id="new-key">
${message('good', developers.created)}
<p>${copyable(locale, text)}</p>
${formerUntil !== undefined && html`<p>${former}</p>`}
</div>`
}

/** Choice of how long a replaced secret remains valid. */
export const overlapChoice = (
  { texts: { developers } }: DashboardLocale,
  id: string,
  label: string,
  overlaps: readonly Overlap[],
): Html => html`<label for="${id}">${label}</label>
<select id="${id}" name="overlap">
${overlaps.map(
  overlap => html`<option value="${overlap}"${overlap === '1d' && html` selected`}>
${developers.overlaps[overlap]}</option>
`,
)}</select>`

function actions(locale: DashboardLocale, key: KeyRow, overlaps: readonly Overlap[]): Html {
  const { developers } = locale.texts
  const path = `/dashboard/developers/keys/${key.id}`
  const name = key.label ?? key.prefix
  const rotate = html`<details><summary class="whole">${developers.rotate}
<span class="unseen"> ${name}</span></summary>
<form method="post" action="${path}/rotate" class="field">${hidden(locale)}
${overlapChoice(locale, `overlap-${key.id}`, developers.rotateHint, overlaps)}
<button class="quiet small">${developers.rotate}</button>
</form></details>`
  return html`${key.state === 'active' && rotate}
<form method="post" action="${path}/revoke">${hidden(locale)}
<button class="danger small" data-ask="${developers.revokeAsk({ label: name })}"
${describedBy('revokeKey')}>${developers.revoke}
<span class="unseen"> ${name}</span></button>
</form>`
}

function keyRow(locale: DashboardLocale, key: KeyRow, overlaps: readonly Overlap[]): Html {
  const { developers } = locale.texts
  const { columns } = developers
  const { label, mode, prefix, scopes, createdAt, lastUsedAt, expiresAt, state } = key
  const timeOr = (at: number | null) => (at === null ? developers.never : time(locale, at))
  const isOver = state === 'revoked' || state === 'expired'
  const names = scopes?.map(scope => developers.scopeNames[scope]).join(', ') ?? developers.allScopes
  return html`<tr>
<th scope="row" dir="auto">${label ?? developers.noLabel}</th>
<td><span class="code whole" dir="ltr">${prefix}…</span></td>
<td data-name="${columns.scopes}"><span>${developers.modes[mode]}: ${names}</span></td>
<td data-name="${columns.created}">${time(locale, createdAt)}</td>
<td data-name="${columns.lastUsed}"><span>${timeOr(lastUsedAt)}</span></td>
<td data-name="${columns.expires}"><span>${timeOr(expiresAt)}</span></td>
<td data-name="${columns.state}">
<span class="badge ${state === 'active' ? 'good' : ''}">${developers.states[state]}</span></td>
<td>${!isOver && actions(locale, key, overlaps)}</td>
</tr>`
}

function keysTable(locale: DashboardLocale, { keys, overlaps }: DevelopersModel): Html {
  const { developers } = locale.texts
  const { columns } = developers
  if (keys.length === 0) return html`<p class="empty">${developers.none}</p>`
  const heads = ['label', 'key', 'scopes', 'created', 'lastUsed', 'expires', 'state', 'actions'] as const
  return html`${consequence(locale, 'revokeKey')}
<div class="scroll narrow" role="region" aria-label="${developers.keys}" tabindex="0">
<table class="blocks">
<thead><tr>${heads.map(name => html`<th scope="col">${columns[name]}</th>`)}</tr></thead>
<tbody>
${keys.map(key => keyRow(locale, key, overlaps))}
</tbody></table></div>`
}

function createForm(locale: DashboardLocale, model: DevelopersModel): Html {
  const { developers } = locale.texts
  const { form, wrong, allScopes, expiries } = model
  const wrongText = (name: keyof typeof developers.wrong) =>
    wrong.includes(name) ? developers.wrong[name] : undefined
  const scopesProblem = wrongText('scopes')
  return html`<form method="post" action="/dashboard/developers/keys" class="card">${hidden(locale)}
<h2>${developers.create}</h2>
${field({
  name: 'label',
  label: developers.label,
  hint: developers.labelHint,
  value: form.label,
  problem: wrongText('label'),
})}
<div class="field"><label for="mode">${developers.mode}</label>
<p class="hint" id="mode-hint">${developers.modeHint}</p>
<select id="mode" name="mode" aria-describedby="mode-hint test-danger">
${(['live', 'test'] as const).map(
  mode =>
    html`<option value="${mode}"${mode === form.mode && html` selected`}>${developers.modes[mode]}</option>`,
)}</select>
<p class="problem" id="test-danger">${developers.testDanger}</p></div>
<fieldset><legend>${developers.scopes}</legend>
${scopesProblem && html`<p class="problem">${scopesProblem}</p>`}
${allScopes.map(
  scope => html`<label class="check"><input type="checkbox" name="scope.${scope}"
${form.scopes.includes(scope) && html` checked`}> <span>${developers.scopeNames[scope]}</span></label>
`,
)}</fieldset>
<div class="field"><label for="expires">${developers.expires}</label>
<select id="expires" name="expires">
<option value="">${developers.never}</option>
${expiries.map(
  days => html`<option value="${days}"${form.expires === String(days) && html` selected`}>
${developers.days({ days })}</option>
`,
)}</select></div>
<button>${developers.createSubmit}</button>
</form>`
}

/** The API keys, with links to the documentation. */
export function developersBody(locale: DashboardLocale, model: DevelopersModel): Html {
  const { developers } = locale.texts
  const { problem, isRevoked, created, command } = model
  return html`<h1>${developers.title}</h1>
${developerTabs(locale, 'keys', true)}
${isRevoked && message('good', developers.revoked)}
${problem && message('warn', problem)}
${createdCard(locale, created)}
<div class="card">
<h2>${developers.keys}</h2>
${keysTable(locale, model)}
</div>
${createForm(locale, model)}
<section class="card" aria-labelledby="try">
<h2 id="try">${developers.try}</h2>
<p>${developers.tryHint}</p>
<pre dir="ltr" tabindex="0">${command}</pre>
<p><a href="/swagger">${developers.reference}</a> · <a href="/swagger/json">${developers.openapi}</a></p>
</section>`
}
