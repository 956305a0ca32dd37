import { Type } from '@sinclair/typebox'
import { Elysia } from 'elysia'
import { accountBody } from '../../../views/dashboard/account.ts'
import type { DashboardLocale } from '../../../views/dashboard/locale.ts'
import type { Refusal } from '../../domain/errors.ts'
import { changePassword } from '../../operations/people/change-password.ts'
import { endLogin, endOtherLogins, listLogins } from '../../operations/people/logins.ts'
import { readSecondFactor } from '../../operations/people/second-factor.ts'
import { browserNames } from '../../present/browser.ts'
import { personOf, requirePerson, requireProof } from './access.ts'
import type { DashboardDeps } from './deps.ts'
import { renderPage, type Settable } from './page.ts'
import { refusalOf, refusedFields } from './problem.ts'

const Done = Type.Union([
  Type.Literal('password'),
  Type.Literal('login'),
  Type.Literal('logins'),
  Type.Literal('secondFactor'),
])
const Query = Type.Object({ done: Type.Optional(Done), lang: Type.Optional(Type.String()) })
const PasswordForm = Type.Object({ password: Type.String({ maxLength: 1000 }) })
const LoginForm = Type.Object({ id: Type.String({ maxLength: 64 }) })

function browserText({ texts: { account } }: DashboardLocale, userAgent: string): string {
  const { browser, system } = browserNames(userAgent)
  const name = browser ?? account.unknownBrowser
  return system === null ? name : account.onSystem(name, system)
}

export const accountPages = (deps: DashboardDeps) => {
  const { context } = deps
  async function show(
    request: Request,
    set: Settable,
    done: typeof Done.static | null,
    refusal: Refusal | null,
  ) {
    const visit = await personOf(context, request)
    const logins = await listLogins(context, visit)
    const secondFactor = await readSecondFactor(context, visit)
    return renderPage(deps, request, set, locale => ({
      title: locale.texts.account.title,
      body: accountBody(locale, {
        email: visit.user.email,
        logins: logins.map(({ id, userAgent, address, lastSeenAt }) => ({
          id,
          browser: browserText(locale, userAgent),
          address,
          lastSeenAt,
          isThis: id === visit.login.id,
        })),
        secondFactor,
        done,
        wrong: refusal ? refusedFields(refusal) : [],
      }),
    }))
  }
  return new Elysia()
    .get('/dashboard/account', ({ query, request, set }) => show(request, set, query.done ?? null, null), {
      ...requirePerson(context, 'person'),
      query: Query,
    })
    .post(
      '/dashboard/account/password',
      async ({ body, redirect, request, set }) => {
        const visit = await personOf(context, request)
        const refusal = await refusalOf(() => changePassword(context, visit, body.password))
        if (!refusal) return redirect('/dashboard/account?done=password', 303)
        set.status = refusal.status
        return show(request, set, null, refusal)
      },
      { ...requireProof(deps, 'person'), body: PasswordForm },
    )
    .post(
      '/dashboard/account/logins/end',
      async ({ body, redirect, request }) => {
        await endLogin(context, await personOf(context, request), body.id)
        return redirect('/dashboard/account?done=login', 303)
      },
      { ...requirePerson(context, 'person'), body: LoginForm },
    )
    .post(
      '/dashboard/account/logins/end-others',
      async ({ redirect, request }) => {
        await endOtherLogins(context, await personOf(context, request))
        return redirect('/dashboard/account?done=logins', 303)
      },
      requirePerson(context, 'person'),
    )
}
