import { Type } from '@sinclair/typebox'
import { accountBody } from '../../../views/dashboard/account.ts'
import { browserText } from '../../../views/dashboard/letters.ts'
import { dashboardLanguages } from '../../../views/dashboard/locale.ts'
import type { Refusal } from '../../domain/errors.ts'
import { changePassword } from '../../operations/people/change-password.ts'
import { endLogin, endOtherLogins, listLogins } from '../../operations/people/logins.ts'
import { listPasskeys } from '../../operations/people/passkeys.ts'
import { readSecondFactor } from '../../operations/people/second-factor.ts'
import { rememberLanguage } from '../../operations/people/visit.ts'
import { browserNames } from '../../present/browser.ts'
import { oneOf, text } from './fields.ts'
import { form, page, type Route } from './kit.ts'
import type { View } from './page.ts'
import { problemText, refusedFields } from './problem.ts'
import type { PersonVisit } from './visit.ts'

const PATH = '/dashboard/account'
const outcomes = [
  ...(['password', 'login', 'logins', 'secondFactor'] as const),
  ...(['passkeyAdded', 'passkeyRemoved', 'passkeyRenamed', 'language'] as const),
]

interface AccountState {
  done?: (typeof outcomes)[number] | undefined
  refusal?: Refusal
  /** a passkey whose new name was refused */
  wrongPasskey?: { id: string; name: string } | null
}

export async function showAccount(visit: PersonVisit, state: AccountState): Promise<View> {
  const { context, login, user, lacksSecondFactor } = visit
  const { done = null, refusal, wrongPasskey = null } = state
  const logins = await listLogins(context, visit)
  const secondFactor = await readSecondFactor(context, visit)
  const passkeys = await listPasskeys(context, visit)
  const wrong = refusal ? refusedFields(refusal) : []
  return locale => ({
    title: locale.texts.account.title,
    body: accountBody(locale, {
      email: user.email,
      language: dashboardLanguages.find(tag => tag === user.language) ?? locale.tag,
      logins: logins.map(({ id, userAgent, address, lastSeenAt }) => ({
        id,
        browser: browserText(locale, browserNames(userAgent)),
        address,
        lastSeenAt,
        isThis: id === login.id,
      })),
      secondFactor,
      lacksSecondFactor,
      passkeys: {
        passkeys,
        wrong: wrongPasskey,
        isPossible: context.passkeys.place !== null,
        url: context.policy.dashboardUrl,
      },
      done,
      problem: refusal && wrong.length === 0 ? problemText(locale, refusal) : null,
      wrong,
    }),
  })
}

/** Shows the account page after a form of it was refused. */
export const accountRefused = (refusal: Refusal, visit: PersonVisit): Promise<View> =>
  showAccount(visit, { refusal })

/** The account page of the person who is signed in, and its forms. */
export const accountRoutes: readonly Route[] = [
  page({
    path: PATH,
    access: 'person',
    query: { done: Type.Optional(oneOf(outcomes)) },
    show: visit => showAccount(visit, { done: visit.query.done }),
  }),
  form({
    path: `${PATH}/password`,
    proof: 'person',
    // A thief who stole the login must not be able to replace the password.
    proofTime: 'now',
    fields: { password: text(1000) },
    run: visit => changePassword(visit.context, visit, visit.body.password),
    done: `${PATH}?done=password`,
    refused: accountRefused,
  }),
  form({
    path: `${PATH}/language`,
    access: 'person',
    fields: { language: oneOf(dashboardLanguages) },
    run: visit => rememberLanguage(visit.context, visit, visit.body.language),
    // The parameter `lang` also changes the language of this browser, which applies before signing in too.
    done: (_, { body }) => `${PATH}?done=language&lang=${body.language}`,
  }),
  form({
    path: `${PATH}/logins/end`,
    access: 'person',
    fields: { id: text(64) },
    run: visit => endLogin(visit.context, visit, visit.body.id),
    done: `${PATH}?done=login`,
  }),
  form({
    path: `${PATH}/logins/end-others`,
    access: 'person',
    run: visit => endOtherLogins(visit.context, visit),
    done: `${PATH}?done=logins`,
  }),
]
