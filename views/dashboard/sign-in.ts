import { type Html, html } from '../html.ts'
import { type Guide, guideHead } from './guide.ts'
import type { DashboardLocale } from './locale.ts'
import { field, hidden, message } from './parts.ts'
import { type PasskeyUse, passkeyButton } from './passkeys.ts'

interface SignInModel {
  email: string
  /** reason why signing in failed */
  problem: string | null
  /** path of the dashboard to open afterwards */
  next: string
  /** false if browsers cannot keep a login at this address, because it has no HTTPS */
  isPossible: boolean
  /** null if the dashboard has no passkeys */
  passkey: PasskeyUse | null
  /** true if the server can mail links to choose a new password */
  mailsLinks: boolean
}

export function signInBody(locale: DashboardLocale, model: SignInModel): Html {
  const { signIn } = locale.texts
  const { email, problem, next, isPossible, passkey, mailsLinks } = model
  if (!isPossible)
    return html`<div class="card"><h1>${signIn.title}</h1>${message('warn', signIn.needsHttps)}</div>`
  return html`<div class="card">
<h1>${signIn.title}</h1>
${problem && message('warn', problem)}
<form method="post" action="/dashboard/sign-in">
${hidden(locale, { next })}
${emailField(locale, email)}
${field({
  name: 'password',
  label: signIn.password,
  type: 'password',
  autocomplete: 'current-password',
  isRequired: true,
})}
<button>${signIn.submit}</button>
</form>
${
  passkey &&
  passkeyButton(locale, {
    use: passkey,
    action: '/dashboard/sign-in/passkey',
    field: 'answer',
    ask: '/dashboard/sign-in/passkey-options',
    label: locale.texts.passkeys.signIn,
    values: { next },
  })
}
<p class="soft">${
    mailsLinks ? html`<a href="/dashboard/sign-in/forgotten">${signIn.forgottenLink}</a>` : signIn.forgotten
  }</p>
</div>`
}

interface ForgottenModel {
  email: string
  /** false if browsers cannot keep a login at this address, because it has no HTTPS */
  isPossible: boolean
  /** true if the server can mail links to choose a new password */
  mailsLinks: boolean
  /** true after the form was sent; the page does not reveal if the address has an account */
  isSent: boolean
  isWrong: boolean
  /** reason for a refusal */
  problem: string | null
}

/** The page on which people who forgot their password ask for a link. */
export function forgottenBody(locale: DashboardLocale, model: ForgottenModel): Html {
  const { signIn } = locale.texts
  const { email, isPossible, mailsLinks, isSent, isWrong, problem } = model
  const form = html`${problem && message('warn', problem)}
<p>${signIn.forgottenHint}</p>
<form method="post" action="/dashboard/sign-in/forgotten">
${hidden(locale)}
${emailField(locale, email, isWrong)}
<button>${signIn.forgottenSubmit}</button>
</form>`
  const content = mailsLinks ? form : html`<p>${signIn.forgotten}</p>`
  return html`<div class="card">
<h1>${signIn.forgottenTitle}</h1>
${!isPossible && message('warn', signIn.needsHttps)}
${isPossible && (isSent ? message('good', signIn.forgottenSent({ email })) : content)}
<p><a href="/dashboard/sign-in">${signIn.toSignIn}</a></p>
</div>`
}

interface LinkModel {
  purpose: 'first' | 'password' | 'enter'
  /** false if browsers cannot keep a login at this address, because it has no HTTPS */
  isPossible: boolean
  /** empty for the first user, who enters an address */
  email: string
  /** reason for a refusal */
  problem: string | null
  /** names of the invalid fields */
  wrong: readonly string[]
  /** position in the setup; null except for the first user, whose page begins it */
  guide: Guide | null
  /** entered code of a new server; null on the page of a link, which needs no code */
  code: string | null
}

const emailField = ({ texts: { signIn } }: DashboardLocale, value: string, isWrong = false): Html =>
  field({
    name: 'email',
    label: signIn.email,
    value,
    type: 'email',
    problem: isWrong ? signIn.wrongEmail : undefined,
    autocomplete: 'username',
    isRequired: true,
  })

/** The field for the code that a new server printed. */
const codeField = ({ texts: { signIn } }: DashboardLocale, value: string): Html =>
  field({
    name: 'code',
    label: signIn.firstCode,
    value,
    hint: signIn.firstCodeHint,
    autocomplete: 'one-time-code',
    isRequired: true,
  })

function passwordFields(locale: DashboardLocale, { purpose, email, wrong }: LinkModel): Html {
  const { signIn } = locale.texts
  const password = field({
    name: 'password',
    label: signIn.password,
    type: 'password',
    hint: signIn.passwordHint,
    problem: wrong.includes('password') ? signIn.wrongPassword : undefined,
    autocomplete: 'new-password',
    isRequired: true,
  })
  if (purpose === 'first') return html`${emailField(locale, email, wrong.includes('email'))}${password}`
  return html`<p>${signIn.passwordFor({ email })}</p>
<input type="hidden" name="email" value="${email}" autocomplete="username">
${password}`
}

/** The page of a link that works once. */
export function linkBody(locale: DashboardLocale, model: LinkModel): Html {
  const { signIn } = locale.texts
  const { purpose, email, problem } = model
  const { guide } = model
  const titles = { first: signIn.firstTitle, password: signIn.passwordTitle, enter: signIn.enterTitle }
  const head = guide ? guideHead(locale, guide, titles[purpose]) : html`<h1>${titles[purpose]}</h1>`
  if (!model.isPossible) return html`<div class="card">${head}${message('warn', signIn.needsHttps)}</div>`
  return html`<div class="card">
${head}
${problem && message('warn', problem)}
<form method="post">${hidden(locale)}
${purpose === 'first' && html`<p>${signIn.firstHint}</p>`}
${model.code !== null && codeField(locale, model.code)}
${purpose === 'enter' ? html`<p>${signIn.enterHint({ email })}</p>` : passwordFields(locale, model)}
<button>${purpose === 'enter' ? signIn.enterSubmit : signIn.passwordSubmit}</button>
</form>
</div>`
}
