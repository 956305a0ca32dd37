import { type Html, html } from '../html.ts'
import { type Guide, guideHead } from './guide.ts'
import type { DashboardLocale } from './locale.ts'
import { field, hidden, message } from './parts.ts'
import { type PasskeyUse, passkeyButton } from './passkeys.ts'

interface SignInModel {
  email: string
  /** why it did not work */
  problem: string | null
  /** where to go afterwards: a path of the dashboard */
  next: string
  /** whether the browser can keep a login at this address */
  isPossible: boolean
  /** null if the dashboard takes no passkeys */
  passkey: PasskeyUse | null
  /** whether the server mails links to choose a new password */
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
  /** whether the browser can keep a login at this address */
  isPossible: boolean
  /** whether the server mails links to choose a new password */
  mailsLinks: boolean
  /** whether a link was asked for; nobody learns whether the address has an account */
  isSent: boolean
  isWrong: boolean
  /** why it did not work */
  problem: string | null
}

/** The page where a person who forgot the password asks for a link. */
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
  /** whether the browser can keep a login at this address */
  isPossible: boolean
  /** empty for the first user, who enters it */
  email: string
  /** why it did not work */
  problem: string | null
  /** the names of the fields to correct */
  wrong: readonly string[]
  /** of the first user, whose page begins the setup */
  guide: Guide | null
  /** what was entered as the code of a new server; null on the page of a link, which needs none */
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

/** Where the first person enters the code that the server printed. */
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

/** The page of a link that can be used once. */
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
