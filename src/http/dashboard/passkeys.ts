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
import { accountRefused, showAccount } from './account.ts'
import { passkeyUse } from './assets.ts'
import { text } from './fields.ts'
import { ask, form, type Route } from './kit.ts'
import type { View } from './page.ts'
import { refusedFields } from './problem.ts'
import type { PersonVisit } from './visit.ts'

const PATH = '/dashboard/account/passkeys'

/** The answer of a browser, as JSON, which is far shorter than this limit. */
export const answer = text(10_000)
const id = text(1400)
const name = text(200)

/** The suggested name of a passkey that this browser creates. */
const suggestedName = ({ headers }: Request): string => {
  const { browser, system } = browserNames(headers.get('user-agent') ?? '')
  return [browser, system].filter(Boolean).join(', ')
}

/** The page on which the browser creates a passkey. */
const makingView =
  ({ context }: PersonVisit, options: PasskeyOptions, name: string, isWrongName: boolean): View =>
  locale => {
    const use = passkeyUse(context)
    if (!use) throw new Error('a passkey was started where there are none')
    const model = { use, options: JSON.stringify(options), name, isWrongName }
    return { title: locale.texts.passkeys.newTitle, body: newPasskeyBody(locale, model) }
  }

/** The forms of the account page that add and remove passkeys. */
export const passkeyRoutes: readonly Route[] = [
  form({
    path: `${PATH}/new`,
    proof: 'person',
    run: visit => startPasskey(visit.context, visit),
    done: (options, visit) => makingView(visit, options, suggestedName(visit.request), false),
    refused: accountRefused,
  }),
  form({
    path: PATH,
    proof: 'person',
    fields: { name, answer },
    run: visit => addPasskey(visit.context, visit, visit.body),
    done: '/dashboard/account?done=passkeyAdded',
    async refused(refusal, visit) {
      if (!refusedFields(refusal).includes('name')) return showAccount(visit, { refusal })
      return makingView(visit, await startPasskey(visit.context, visit), visit.body.name, true)
    },
  }),
  form({
    path: `${PATH}/rename`,
    access: 'person',
    fields: { id, name },
    run: visit => renamePasskey(visit.context, visit, visit.body),
    done: '/dashboard/account?done=passkeyRenamed',
    refused(refusal, visit) {
      const wrongPasskey = refusedFields(refusal).includes('name') ? visit.body : null
      return showAccount(visit, { refusal, wrongPasskey })
    },
  }),
  form({
    path: `${PATH}/remove`,
    proof: 'person',
    fields: { id },
    run: visit => removePasskey(visit.context, visit, visit.body.id),
    done: '/dashboard/account?done=passkeyRemoved',
    refused: accountRefused,
  }),
  ask({
    path: `${PATH}/options`,
    access: 'person',
    answer: ({ context, user }) => askForPasskey(context, user.id),
  }),
]
