import { type Html, html } from '../html.ts'
import type { DashboardLocale } from './locale.ts'
import { field, message } from './parts.ts'

interface ProofModel {
  /** where the form is sent once more */
  action: string
  /** what was entered in it */
  values: Readonly<Record<string, string>>
  /** the name of the field for the password */
  passwordName: string
  email: string
  isWrong: boolean
}

/** Asks for the password again, and then sends what was entered. */
export function proofBody({ texts: { signIn } }: DashboardLocale, model: ProofModel): Html {
  return html`<div class="card">
<h1>${signIn.proofTitle}</h1>
<p>${signIn.proofHint(model.email)}</p>
${model.isWrong && message('warn', signIn.proofWrong)}
<form method="post" action="${model.action}">
${Object.entries(model.values).map(
  ([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`,
)}
<input type="hidden" value="${model.email}" autocomplete="username">
${field({
  name: model.passwordName,
  label: signIn.password,
  type: 'password',
  autocomplete: 'current-password',
  isRequired: true,
})}
<button>${signIn.proofSubmit}</button>
</form>
</div>`
}
