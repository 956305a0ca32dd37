import { type Html, html } from '../html.ts'
import type { DashboardLocale } from './locale.ts'
import { consequence, describedBy, field, hidden, table, time, unseen } from './parts.ts'

const PATH = '/dashboard/account/passkeys'

/** The values that a page needs to use passkeys. */
export interface PasskeyUse {
  /** origin at which passkeys work */
  origin: string
  script: string
}

interface PasskeyRow {
  id: string
  name: string
  createdAt: number
  lastUsedAt: number | null
}

export interface PasskeysState {
  passkeys: readonly PasskeyRow[]
  /** passkey whose new name was refused */
  wrong: { id: string; name: string } | null
  /** true if browsers can create passkeys for the dashboard's address */
  isPossible: boolean
  /** address of the dashboard */
  url: string
}

function renameForm(
  locale: DashboardLocale,
  { id, name }: PasskeyRow,
  at: number,
  wrong: string | null,
): Html {
  const { passkeys } = locale.texts
  return html`<details${wrong !== null && html` open`}>
<summary aria-label="${passkeys.renameLabel({ name })}">${passkeys.rename}</summary>
<form method="post" action="${PATH}/rename">
${hidden(locale, { id })}
${field({
  name: 'name',
  id: `passkey-${at}`,
  label: passkeys.name,
  value: wrong ?? name,
  problem: wrong === null ? undefined : passkeys.wrongName,
  isRequired: true,
})}
<button class="quiet small">${locale.texts.frame.save}</button></form></details>`
}

function passkeyRow(
  locale: DashboardLocale,
  row: PasskeyRow,
  at: number,
  wrong: PasskeysState['wrong'],
): Html {
  const { passkeys } = locale.texts
  const { id, name, createdAt, lastUsedAt } = row
  return html`<tr><td><span dir="auto">${name}</span>
${renameForm(locale, row, at, wrong?.id === id ? wrong.name : null)}</td><td>${time(locale, createdAt)}</td>
<td>${lastUsedAt === null ? passkeys.never : time(locale, lastUsedAt)}</td>
<td><form method="post" action="${PATH}/remove" data-ask="${passkeys.removeAsk({ name })}">
${hidden(locale, { id })}
<button class="danger small"
${describedBy('removePasskey')} aria-label="${passkeys.removeLabel({ name })}">${passkeys.remove}</button>
</form></td></tr>
`
}

function passkeyTable(locale: DashboardLocale, { passkeys: rows, wrong }: PasskeysState): Html {
  const { passkeys } = locale.texts
  return html`${consequence(locale, 'removePasskey')}
${table(
  null,
  [passkeys.name, passkeys.added, passkeys.lastUsed, unseen(passkeys.remove)],
  rows.map((row, at) => passkeyRow(locale, row, at, wrong)),
)}`
}

/** The passkeys on a person's account page. */
export function passkeysCard(locale: DashboardLocale, state: PasskeysState): Html {
  const { passkeys } = locale.texts
  return html`<section class="card" id="passkeys"><h2>${passkeys.title}</h2>
<p>${passkeys.about}</p>
${state.passkeys.length > 0 && passkeyTable(locale, state)}
${
  state.isPossible
    ? html`<form method="post" action="${PATH}/new">${hidden(locale)}<button>${passkeys.add}</button></form>`
    : html`<p class="soft">${passkeys.impossible({ url: state.url })}</p>`
}
</section>`
}

/** Messages of the script for browsers that create or use no passkey. */
const scriptTexts = ({ texts: { passkeys } }: DashboardLocale, { origin }: PasskeyUse): Html =>
  html`data-origin="${origin}" data-other-address="${passkeys.otherAddress({ url: origin })}"
data-cancelled="${passkeys.cancelled}" data-exists="${passkeys.exists}" data-failed="${passkeys.failed}"
data-needs-support="${passkeys.needsSupport}"`

const scriptEnd = ({ texts: { passkeys } }: DashboardLocale, { script }: PasskeyUse): Html =>
  html`<noscript><p class="soft">${passkeys.needsScript}</p></noscript>
<script src="${script}" defer></script>`

interface NewPasskeyModel {
  use: PasskeyUse
  /** options for the browser, as JSON */
  options: string
  name: string
  isWrongName: boolean
}

/** The page that creates a passkey. */
export function newPasskeyBody(locale: DashboardLocale, model: NewPasskeyModel): Html {
  const { passkeys } = locale.texts
  const { use, options, name, isWrongName } = model
  return html`<div class="card">
<h1>${passkeys.newTitle}</h1>
<form method="post" action="${PATH}" data-passkey="create" data-field="answer" data-options="${options}"
${scriptTexts(locale, use)} hidden>
${hidden(locale, { answer: '' })}
<p>${passkeys.newHint}</p>
${field({
  name: 'name',
  label: passkeys.name,
  value: name,
  problem: isWrongName ? passkeys.wrongName : undefined,
  isRequired: true,
})}
<button>${passkeys.create}</button>
<p class="message warn" role="alert" data-passkey-problem hidden></p>
</form>
${scriptEnd(locale, use)}
<p><a href="/dashboard/account">${passkeys.cancel}</a></p>
</div>`
}

interface PasskeyButton {
  use: PasskeyUse
  /** URL to which the answer is sent */
  action: string
  /** name of the answer's field */
  field: string
  /** URL of the challenge that the passkey signs */
  ask: string
  label: string
  /** further values of the form */
  values: Readonly<Record<string, string>>
}

/** A button that asks the browser for a passkey and then sends a form. Without JavaScript it is hidden. */
export const passkeyButton = (locale: DashboardLocale, button: PasskeyButton): Html =>
  html`<form method="post" action="${button.action}" data-passkey="get" data-field="${button.field}"
data-ask="${button.ask}"
${scriptTexts(locale, button.use)} hidden>
${hidden(locale, { ...button.values, [button.field]: '' })}
<button class="quiet">${button.label}</button>
<p class="message warn" role="alert" data-passkey-problem hidden></p>
</form>
${scriptEnd(locale, button.use)}`
