import { Type } from '@sinclair/typebox'
import { Elysia } from 'elysia'
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
import { personOf, requirePerson, requireProof } from './access.ts'
import type { DashboardDeps } from './deps.ts'
import { renderPage, type Settable } from './page.ts'
import { problemText, refusalOf, refusedFields } from './problem.ts'

const Done = Type.Union([
  Type.Literal('password'),
  Type.Literal('login'),
  Type.Literal('logins'),
  Type.Literal('secondFactor'),
  Type.Literal('passkeyAdded'),
  Type.Literal('passkeyRemoved'),
  Type.Literal('passkeyRenamed'),
  Type.Literal('language'),
])
const Query = Type.Object({ done: Type.Optional(Done), lang: Type.Optional(Type.String()) })
const PasswordForm = Type.Object({ password: Type.String({ maxLength: 1000 }) })
const LanguageForm = Type.Object({ language: Type.Union(dashboardLanguages.map(tag => Type.Literal(tag))) })
const LoginForm = Type.Object({ id: Type.String({ maxLength: 64 }) })

interface Shown {
  done?: typeof Done.static | undefined
  /** why a form was refused */
  refusal?: Refusal | null
  /** a passkey whose new name was refused */
  wrongPasskey?: { id: string; name: string } | null
}

/** The account page, after a refused form too. */
export async function showAccount(
  deps: DashboardDeps,
  request: Request,
  set: Settable,
  { done, refusal = null, wrongPasskey = null }: Shown,
): Promise<string> {
  const { context } = deps
  const visit = await personOf(context, request)
  const logins = await listLogins(context, visit)
  const secondFactor = await readSecondFactor(context, visit)
  const passkeys = await listPasskeys(context, visit)
  if (refusal) set.status = refusal.status
  const wrong = refusal ? refusedFields(refusal) : []
  return renderPage(deps, request, set, locale => ({
    title: locale.texts.account.title,
    body: accountBody(locale, {
      email: visit.user.email,
      language: dashboardLanguages.find(tag => tag === visit.user.language) ?? locale.tag,
      logins: logins.map(({ id, userAgent, address, lastSeenAt }) => ({
        id,
        browser: browserText(locale, browserNames(userAgent)),
        address,
        lastSeenAt,
        isThis: id === visit.login.id,
      })),
      secondFactor,
      passkeys: {
        passkeys,
        wrong: wrongPasskey,
        isPossible: context.passkeys.place !== null,
        url: context.policy.dashboardUrl,
      },
      done: done ?? null,
      problem: refusal && wrong.length === 0 ? problemText(locale, refusal) : null,
      wrong,
    }),
  }))
}

export const accountPages = (deps: DashboardDeps) => {
  const { context } = deps
  return new Elysia()
    .get(
      '/dashboard/account',
      ({ query, request, set }) => showAccount(deps, request, set, { done: query.done }),
      {
        ...requirePerson(context, 'person'),
        query: Query,
      },
    )
    .post(
      '/dashboard/account/password',
      async ({ body, redirect, request, set }) => {
        const person = await personOf(context, request)
        const refusal = await refusalOf(() => changePassword(person.context, person, body.password))
        if (!refusal) return redirect('/dashboard/account?done=password', 303)
        return showAccount(deps, request, set, { refusal })
      },
      { ...requireProof(deps, 'person'), body: PasswordForm },
    )
    .post(
      '/dashboard/account/language',
      async ({ body, redirect, request }) => {
        const person = await personOf(context, request)
        await rememberLanguage(context, person, body.language)
        // The link changes this browser too, also before signing in.
        return redirect(`/dashboard/account?done=language&lang=${body.language}`, 303)
      },
      { ...requirePerson(context, 'person'), body: LanguageForm },
    )
    .post(
      '/dashboard/account/logins/end',
      async ({ body, redirect, request }) => {
        const person = await personOf(context, request)
        await endLogin(person.context, person, body.id)
        return redirect('/dashboard/account?done=login', 303)
      },
      { ...requirePerson(context, 'person'), body: LoginForm },
    )
    .post(
      '/dashboard/account/logins/end-others',
      async ({ redirect, request }) => {
        const person = await personOf(context, request)
        await endOtherLogins(person.context, person)
        return redirect('/dashboard/account?done=logins', 303)
      },
      requirePerson(context, 'person'),
    )
}
