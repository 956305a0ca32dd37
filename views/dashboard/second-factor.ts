import { type Html, html, raw } from '../html.ts'
import type { DashboardLocale } from './locale.ts'
import { consequence, copyable, describedBy, field, hidden, message, time } from './parts.ts'
import { type PasskeyUse, passkeyButton } from './passkeys.ts'

const PATH = '/dashboard/account/second-factor'

/** The second factor on a person's account page. */
export interface SecondFactorState {
  kind: 'app' | 'passkeys'
  since: number
  /** number of unused recovery codes */
  recoveryCodes: number
}

export function secondFactorCard(
  locale: DashboardLocale,
  state: SecondFactorState | null,
  hasPasskeys: boolean,
): Html {
  const { secondFactor } = locale.texts
  const off = html`<p>${secondFactor.about}</p>
<form method="post" action="${PATH}">${hidden(locale)}<button>${secondFactor.setUp}</button></form>
${
  hasPasskeys &&
  html`<p>${secondFactor.onlyPasskeysHint}</p>
<form method="post" action="${PATH}/passkeys">${hidden(locale)}
<button class="quiet">${secondFactor.onlyPasskeys}</button></form>`
}`
  return html`<section class="card" id="second-factor"><h2>${secondFactor.title}</h2>
${state ? switchedOn(locale, state) : off}
</section>`
}

const switchedOn = (locale: DashboardLocale, { kind, since, recoveryCodes }: SecondFactorState): Html => {
  const { secondFactor } = locale.texts
  return html`<p><span class="badge good">${secondFactor.on}</span> ${time(locale, since)}</p>
<p>${kind === 'app' ? secondFactor.byApp : secondFactor.byPasskeys}</p>
<p>${secondFactor.codesLeft({ count: recoveryCodes })}</p>
<form method="post" action="${PATH}/recovery-codes">${hidden(locale)}
<button class="quiet">${secondFactor.renew}</button></form>
<form method="post" action="${PATH}/off">${hidden(locale)}
${consequence(locale, 'secondFactorOff')}
<button class="danger" data-ask="${secondFactor.offAsk}"
${describedBy('secondFactorOff')}>${secondFactor.off}</button></form>`
}

const codeField = ({ texts: { secondFactor } }: DashboardLocale, problem: string | undefined): Html =>
  field({
    name: 'code',
    label: secondFactor.code,
    problem,
    autocomplete: 'one-time-code',
    isRequired: true,
  })

interface SetupModel {
  secret: string
  /** SVG image */
  qr: string
  /** true if the entered code was wrong */
  isWrong: boolean
}

/** Shows the secret for an authenticator app, and asks for a first code. */
export function setupBody(locale: DashboardLocale, { secret, qr, isWrong }: SetupModel): Html {
  const { secondFactor } = locale.texts
  return html`<div class="card">
<h1>${secondFactor.setUpTitle}</h1>
<p>${secondFactor.scan}</p>
<div class="qr" role="img" aria-label="${secondFactor.qr}">${raw(qr)}</div>
<p>${secondFactor.orType}</p>
<p>${copyable(locale, secret.replace(/.{4}(?=.)/g, '$& '))}</p>
<form method="post" action="${PATH}/confirm">${hidden(locale)}
<p>${secondFactor.confirmHint}</p>
${codeField(locale, isWrong ? secondFactor.wrongFirstCode : undefined)}
<button>${secondFactor.confirm}</button>
</form>
<p><a href="/dashboard/account">${secondFactor.cancel}</a></p>
</div>`
}

interface RecoveryModel {
  codes: readonly string[]
  /** true if the second factor was just switched on */
  isNew: boolean
}

/** The recovery codes, which are shown only once. */
export function recoveryBody(locale: DashboardLocale, { codes, isNew }: RecoveryModel): Html {
  const { secondFactor } = locale.texts
  return html`<div class="card">
<h1>${secondFactor.recoveryTitle}</h1>
${message('good', isNew ? secondFactor.switchedOn : secondFactor.renewed)}
<p>${secondFactor.recoveryHint}</p>
<ul class="code" dir="ltr" id="recovery-codes">
${codes.map(code => html`<li>${code}</li>\n`)}</ul>
<p><a class="button" href="/dashboard/account">${secondFactor.saved}</a></p>
</div>`
}

interface CodeModel {
  /** path of the dashboard to open afterwards */
  next: string
  /** reason why the code or passkey was refused */
  problem: string | null
  /** false if the person has only passkeys */
  hasApp: boolean
  /** null if the person has no passkey, or the dashboard has no passkeys */
  passkey: PasskeyUse | null
}

/** The second step of signing in. */
export function codeBody(locale: DashboardLocale, { next, problem, hasApp, passkey }: CodeModel): Html {
  const { secondFactor } = locale.texts
  return html`<div class="card">
<h1>${secondFactor.codeTitle}</h1>
${problem && message('warn', problem)}
${
  passkey &&
  passkeyButton(locale, {
    use: passkey,
    action: '/dashboard/sign-in/code/passkey',
    field: 'answer',
    ask: '/dashboard/sign-in/code/passkey-options',
    label: locale.texts.passkeys.signIn,
    values: { next },
  })
}
<p>${hasApp ? secondFactor.codeHint : secondFactor.recoveryOnlyHint}</p>
<form method="post" action="/dashboard/sign-in/code">
${hidden(locale, { next })}
${codeField(locale, undefined)}
<button>${secondFactor.codeSubmit}</button>
</form>
<p class="soft">${secondFactor.lost}</p>
</div>`
}
