import { Type } from '@sinclair/typebox'
import { Elysia } from 'elysia'
import { newPasskeyBody } from '../../../views/dashboard/passkeys.ts'
import {
  addPasskey,
  type PasskeyOptions,
  removePasskey,
  renamePasskey,
  startPasskey,
} from '../../operations/people/passkeys.ts'
import { askForPasskey } from '../../operations/people/use-passkey.ts'
import { browserNames } from '../../present/browser.ts'
import { personOf, requirePerson, requireProof } from './access.ts'
import { showAccount } from './account.ts'
import type { DashboardDeps } from './deps.ts'
import { renderPage, type Settable } from './page.ts'
import { passkeyUse } from './passkey-use.ts'
import { refusalOf, refusedFields } from './problem.ts'

/** The JSON of a browser's answer is far shorter. */
export const Answer = Type.String({ maxLength: 10_000 })

const PasskeyForm = Type.Object({ name: Type.String({ maxLength: 200 }), answer: Answer })
const RenameForm = Type.Object({
  id: Type.String({ maxLength: 1400 }),
  name: Type.String({ maxLength: 200 }),
})
const RemoveForm = Type.Object({ id: Type.String({ maxLength: 1400 }) })

/** What to call a passkey that this browser makes. */
const suggestedName = (request: Request): string => {
  const { browser, system } = browserNames(request.headers.get('user-agent') ?? '')
  return [browser, system].filter(Boolean).join(', ')
}

/** The forms of the account page that add and remove passkeys. */
export const passkeyForms = (deps: DashboardDeps) => {
  const { context } = deps
  const show = (
    request: Request,
    set: Settable,
    options: PasskeyOptions,
    { name, isWrongName }: { name: string; isWrongName: boolean },
  ) =>
    renderPage(deps, request, set, locale => {
      const use = passkeyUse(context)
      if (!use) throw new Error('a passkey was started where there are none')
      const model = { use, options: JSON.stringify(options), name, isWrongName }
      return { title: locale.texts.passkeys.newTitle, body: newPasskeyBody(locale, model) }
    })
  return new Elysia()
    .post(
      '/dashboard/account/passkeys/new',
      async ({ request, set }) => {
        const person = await personOf(context, request)
        let options: PasskeyOptions | null = null
        const refusal = await refusalOf(async () => {
          options = await startPasskey(person.context, person)
        })
        if (options) return show(request, set, options, { name: suggestedName(request), isWrongName: false })
        return showAccount(deps, request, set, { refusal })
      },
      requireProof(deps, 'person'),
    )
    .post(
      '/dashboard/account/passkeys',
      async ({ body, redirect, request, set }) => {
        const person = await personOf(context, request)
        const refusal = await refusalOf(() => addPasskey(person.context, person, body))
        if (!refusal) return redirect('/dashboard/account?done=passkeyAdded', 303)
        if (!refusedFields(refusal).includes('name')) return showAccount(deps, request, set, { refusal })
        set.status = refusal.status
        const options = await startPasskey(person.context, person)
        return show(request, set, options, { name: body.name, isWrongName: true })
      },
      { ...requireProof(deps, 'person'), body: PasskeyForm },
    )
    .post(
      '/dashboard/account/passkeys/rename',
      async ({ body, redirect, request, set }) => {
        const person = await personOf(context, request)
        const refusal = await refusalOf(() => renamePasskey(person.context, person, body))
        if (!refusal) return redirect('/dashboard/account?done=passkeyRenamed', 303)
        const wrongPasskey = refusedFields(refusal).includes('name') ? body : null
        return showAccount(deps, request, set, { refusal, wrongPasskey })
      },
      { ...requirePerson(context, 'person'), body: RenameForm },
    )
    .post(
      '/dashboard/account/passkeys/remove',
      async ({ body, redirect, request, set }) => {
        const person = await personOf(context, request)
        const refusal = await refusalOf(() => removePasskey(person.context, person, body.id))
        if (!refusal) return redirect('/dashboard/account?done=passkeyRemoved', 303)
        return showAccount(deps, request, set, { refusal })
      },
      { ...requireProof(deps, 'person'), body: RemoveForm },
    )
    .post(
      '/dashboard/account/passkeys/options',
      async ({ request }) => {
        const { context: own, user } = await personOf(context, request)
        return askForPasskey(own, user.id)
      },
      requirePerson(context, 'person'),
    )
}
