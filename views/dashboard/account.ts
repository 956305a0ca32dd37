import { type Html, html } from '../html.ts'
import {
  type DashboardLanguage,
  type DashboardLocale,
  dashboardLanguages,
  dashboardLocale,
} from './locale.ts'
import { field, hidden, message, select, table, time, unseen } from './parts.ts'
import { type PasskeysState, passkeysCard } from './passkeys.ts'
import { PROOF_FIELD } from './proof.ts'
import { type SecondFactorState, secondFactorCard } from './second-factor.ts'

interface LoginRow {
  id: string
  /** name such as "Firefox on Windows" */
  browser: string
  address: string
  lastSeenAt: number
  /** true for the browser that shows the page */
  isThis: boolean
}

interface AccountModel {
  email: string
  /** language that the person chose */
  language: DashboardLanguage
  logins: readonly LoginRow[]
  /** null if the person has no second factor */
  secondFactor: SecondFactorState | null
  /** true if the person must set up a second factor before anything else */
  lacksSecondFactor: boolean
  passkeys: PasskeysState
  /** change that was just made, for its message */
  done:
    | 'password'
    | 'login'
    | 'logins'
    | 'secondFactor'
    | 'passkeyAdded'
    | 'passkeyRemoved'
    | 'passkeyRenamed'
    | 'language'
    | null
  /** reason for a refusal that is not about a field */
  problem: string | null
  /** names of the invalid fields */
  wrong: readonly string[]
}

function loginRow(locale: DashboardLocale, { id, browser, address, lastSeenAt, isThis }: LoginRow): Html {
  const { account } = locale.texts
  const end = html`<form method="post" action="/dashboard/account/logins/end">
${hidden(locale, { id })}<button class="quiet small">${account.end}</button></form>`
  return html`<tr><td dir="auto">${browser}</td><td class="code">${address}</td>
<td>${time(locale, lastSeenAt)}</td>
<td>${isThis ? html`<span class="badge good">${account.thisBrowser}</span>` : end}</td></tr>
`
}

function loginsCard(locale: DashboardLocale, logins: readonly LoginRow[]): Html {
  const { account } = locale.texts
  return html`<section class="card"><h2>${account.logins}</h2>
${table(
  null,
  [account.browser, account.address, account.lastSeen, unseen(account.end)],
  logins.map(login => loginRow(locale, login)),
)}
${
  logins.length > 1 &&
  html`<form method="post" action="/dashboard/account/logins/end-others">${hidden(locale)}
<button class="quiet">${account.endOthers}</button></form>`
}
</section>`
}

function languageCard(locale: DashboardLocale, chosen: DashboardLanguage): Html {
  const { account, frame } = locale.texts
  return html`<section class="card"><h2>${account.language}</h2>
<form method="post" action="/dashboard/account/language">${hidden(locale)}
${select({
  name: 'language',
  label: account.languageLabel,
  hint: account.languageHint,
  value: chosen,
  options: dashboardLanguages.map(one => [one, dashboardLocale(one, 'UTC').name]),
})}
<button>${frame.save}</button>
</form></section>`
}

/** The account page of the person who is signed in. */
export function accountBody(locale: DashboardLocale, model: AccountModel): Html {
  const { email, logins, secondFactor, passkeys, done, problem, wrong } = model
  const { account, secondFactor: texts, signIn } = locale.texts
  const hasPasskey = passkeys.isPossible && passkeys.passkeys.length > 0
  return html`<h1>${account.title}</h1>
${model.lacksSecondFactor && message('warn', texts.required)}
${done && message('good', account.done[done])}
${problem && message('warn', problem)}
<p>${account.signedInAs({ email })}</p>
<section class="card"><h2>${account.password}</h2>
<form method="post" action="/dashboard/account/password">${hidden(locale)}
<input type="hidden" value="${email}" autocomplete="username">
${field({
  name: PROOF_FIELD,
  label: account.currentPassword,
  type: 'password',
  hint: hasPasskey ? account.currentPasswordHint : undefined,
  autocomplete: 'current-password',
  isRequired: !hasPasskey,
})}
${field({
  name: 'password',
  label: account.newPassword,
  type: 'password',
  hint: signIn.passwordHint,
  problem: wrong.includes('password') ? signIn.wrongPassword : undefined,
  autocomplete: 'new-password',
  isRequired: true,
})}
<p class="soft">${account.passwordNote}</p>
<button>${account.changePassword}</button>
</form></section>
${languageCard(locale, model.language)}
${passkeysCard(locale, passkeys)}
${secondFactorCard(locale, secondFactor, passkeys.passkeys.length > 0)}
${loginsCard(locale, logins)}`
}
