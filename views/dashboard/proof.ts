import { type Html, html } from '../html.ts'
import type { DashboardLocale } from './locale.ts'
import { field, hidden, message } from './parts.ts'
import { type PasskeyUse, passkeyButton } from './passkeys.ts'

/** The name of the password in a form whose sender has to prove who they are. */
export const PROOF_FIELD = 'proofPassword'
/** The name of the answer of a passkey instead. */
export const PASSKEY_PROOF_FIELD = 'proofPasskey'

interface ProofModel {
  /** where the form is sent once more */
  action: string
  /** what was entered in it */
  values: Readonly<Record<string, string>>
  /** the name of the field for the password */
  passwordName: string
  email: string
  /** why it was refused the last time */
  problem: string | null
  /** null if the person has no passkey, or the dashboard takes none */
  passkey: (PasskeyUse & { field: string }) | null
}

/** The field for the password, in a form that is shown to somebody who has to prove who they are. */
export const proofField = ({ formStamp, texts: { signIn } }: DashboardLocale): Html | null =>
  formStamp === null
    ? field({
        name: PROOF_FIELD,
        label: signIn.proofField,
        hint: signIn.proofNeeded,
        type: 'password',
        autocomplete: 'current-password',
        isRequired: true,
      })
    : null

/** Asks for the password again, and then sends what was entered. */
export function proofBody(locale: DashboardLocale, model: ProofModel): Html {
  const { signIn, passkeys } = locale.texts
  return html`<div class="card">
<h1>${signIn.proofTitle}</h1>
<p>${signIn.proofHint({ email: model.email })}</p>
${model.problem && message('warn', model.problem)}
<form method="post" action="${model.action}">${hidden(locale, model.values)}
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
${
  model.passkey &&
  passkeyButton(locale, {
    use: model.passkey,
    action: model.action,
    field: model.passkey.field,
    ask: '/dashboard/account/passkeys/options',
    label: passkeys.prove,
    values: model.values,
  })
}
</div>`
}
