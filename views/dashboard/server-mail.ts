import { type Html, html } from '../html.ts'
import type { DashboardLocale } from './locale.ts'
import { consequence, describedBy, field, hidden, message, type Options, select } from './parts.ts'
import { proofField } from './proof.ts'
import { serverHead } from './server-tabs.ts'

const PATH = '/dashboard/server/mail'

export const mailFields = ['host', 'port', 'security', 'userName', 'sender'] as const
export type MailField = (typeof mailFields)[number]

export type MailDone = 'saved' | 'removed' | 'tested'

interface MailModel {
  origin: 'environment' | 'dashboard' | 'none' | 'sandbox'
  /** "mail.example:465", without user and password; null if the server sends no mail */
  server: string | null
  sender: string
  values: Record<MailField, string>
  /** true if a password is stored; it is never shown */
  hasPassword: boolean
  /** true if the stored password cannot be decrypted */
  isUnreadable: boolean
  wrong: readonly string[]
  /** problem in words, and the mail server's message in English */
  problem: { text: string; detail: string | null } | null
  done: MailDone | null
  /** address to which a test is sent */
  you: string
}

type Texts = DashboardLocale['texts']['mail']

function stateCard(locale: DashboardLocale, { origin, server, sender, you }: MailModel): Html {
  const { mail } = locale.texts
  return html`<section class="card"><h2>${mail.state}</h2>
${
  server === null
    ? message('warn', mail.none)
    : html`<p>${mail.sends.html({
        server: html`<span class="code" dir="ltr">${server}</span>`,
        sender: html`<span class="code" dir="ltr">${sender}</span>`,
      })}</p>
<p class="soft">${origin === 'environment' ? mail.fromEnvironment : mail.fromDashboard}</p>
<form method="post" action="${PATH}/test">${hidden(locale)}
<button class="quiet">${mail.test}</button></form>
<p class="hint">${mail.testHint({ email: you })}</p>`
}</section>`
}

function serverForm(locale: DashboardLocale, model: MailModel): Html {
  const { mail } = locale.texts
  const { values, wrong, hasPassword, you } = model
  const problem = (name: keyof Texts['wrong']) => (wrong.includes(name) ? mail.wrong[name] : undefined)
  const input = (name: 'host' | 'port' | 'userName' | 'sender', more: object = {}) =>
    field({
      name,
      label: mail.labels[name],
      hint: mail.hints[name],
      value: values[name],
      problem: problem(name),
      autocomplete: 'off',
      ...more,
    })
  const securities: Options = Object.entries(mail.securities)
  return html`<form method="post" action="${PATH}" enctype="multipart/form-data" class="card"
autocomplete="off">${hidden(locale)}
<h2>${mail.own}</h2><p>${mail.ownHint({ email: you })}</p>
${input('host', { isRequired: true })}
${input('port', { isRequired: true, inputMode: 'numeric' })}
${select({ name: 'security', label: mail.labels.security, value: values.security, options: securities })}
${input('userName')}
${field({
  name: 'mailPassword',
  label: mail.labels.password,
  hint: hasPassword ? mail.keepPassword : mail.hints.password,
  type: 'password',
  problem: problem('password'),
  autocomplete: 'new-password',
})}
${input('sender', { type: 'email', isRequired: true })}
${proofField(locale)}
<button>${mail.save}</button></form>`
}

const removeCard = (locale: DashboardLocale): Html => {
  const { mail } = locale.texts
  return html`<section class="card"><h2>${mail.remove}</h2>${consequence(locale, 'removeMailServer')}
<form method="post" action="${PATH}/remove" data-ask="${mail.removeAsk}">${hidden(locale)}
<button class="danger"${describedBy('removeMailServer')}>${mail.remove}</button></form></section>`
}

/** The page of the server's mail settings, for operators. */
export function serverMailBody(locale: DashboardLocale, model: MailModel): Html {
  const { mail } = locale.texts
  const { done, problem, origin, isUnreadable } = model
  return html`${serverHead(locale, 'mail')}
${done && message('good', mail.done[done])}
${
  problem &&
  html`<div class="message warn" role="alert"><p>${problem.text}</p>
${problem.detail && html`<p class="soft" lang="en" dir="auto">${problem.detail}</p>`}</div>`
}
${isUnreadable && message('warn', mail.unreadable)}
${stateCard(locale, model)}
${
  origin === 'environment'
    ? html`<section class="card"><h2>${mail.own}</h2><p>${mail.locked}</p></section>`
    : serverForm(locale, model)
}
${origin === 'dashboard' && removeCard(locale)}`
}
