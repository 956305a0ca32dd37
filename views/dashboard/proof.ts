import { type Html, html } from '../html.ts'
import type { DashboardLocale } from './locale.ts'
import { field, hidden, message } from './parts.ts'
import { type PasskeyUse, passkeyButton } from './passkeys.ts'

/** Name of the field for the password, in forms that ask people to prove who they are. */
export const PROOF_FIELD = 'proofPassword'
/** Name of the field for a passkey's answer in such forms. */
export const PASSKEY_PROOF_FIELD = 'proofPasskey'

interface ProofModel {
  /** URL to which the form is sent again */
  action: string
  /** values of the form */
  values: Readonly<Record<string, string>>
  /** name of the field for the password */
  passwordName: string
  email: string
  /** reason why the last proof was refused */
  problem: string | null
  /** null if the person has no passkey, or the dashboard has no passkeys */
  passkey: (PasskeyUse & { field: string }) | null
}

/** The field for the password in a form; null while the person need not prove who they are. */
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

/** Asks for the password again, then sends the form as it was entered. */
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
