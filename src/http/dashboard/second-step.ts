import { Type } from '@sinclair/typebox'
import { Elysia } from 'elysia'
import { codeBody } from '../../../views/dashboard/second-factor.ts'
import type { Refusal } from '../../domain/errors.ts'
import type { Context } from '../../operations/context.ts'
import { enterCode, findHalfLogin, type HalfUser } from '../../operations/people/second-step.ts'
import { requirePerson } from './access.ts'
import { halfLoginTokenOf, loginCookie } from './cookie.ts'
import type { DashboardDeps } from './deps.ts'
import { browserOf, safeNext, unsigned } from './entered.ts'
import { renderPage, type Settable } from './page.ts'
import { passkeyUse } from './passkey-use.ts'
import { problemText, refusalOf } from './problem.ts'
import { WRONG_CODES_MAX } from './tries.ts'

const text = (maxLength: number) => Type.String({ maxLength })
const Query = Type.Object({ next: Type.Optional(text(2000)), lang: Type.Optional(text(20)) })
const CodeForm = Type.Object({ code: text(100), next: Type.Optional(text(2000)) })

interface Half extends HalfUser {
  token: string
}

const startAgain = (next: string): string => `/dashboard/sign-in?next=${encodeURIComponent(next)}`

/** Who entered their password in this browser, and has yet to pass the second step. Null if nobody. */
export async function halfOf(context: Context, request: Request): Promise<Half | null> {
  const token = halfLoginTokenOf(request, context.policy.dashboardUrl)
  const found = token === null ? null : await findHalfLogin(context, token)
  return token === null || !found ? null : { token, ...found }
}

/** The page of the second step, after a refusal too. */
export function showCode(
  deps: DashboardDeps,
  request: Request,
  set: Settable,
  { half, next, refusal }: { half: Half; next: string; refusal: Refusal | null },
): Promise<string> {
  if (refusal) set.status = refusal.status
  return renderPage(deps, request, set, locale => {
    const { secondFactor } = locale.texts
    const problem = refusal && problemText(locale, refusal)
    const passkey = half.hasPasskeys ? passkeyUse(deps.context) : null
    const body = codeBody(locale, { next, problem, hasApp: half.hasApp, passkey })
    return { title: secondFactor.codeTitle, body }
  })
}

/** The second step to sign in: the code of an authenticator app, or a recovery code. */
export const secondStepPages = (deps: DashboardDeps) => {
  const { context, limit, tries } = deps
  const { dashboardUrl } = context.policy
  const isPublic = requirePerson(context, 'public')
  return new Elysia()
    .get(
      '/dashboard/sign-in/code',
      async ({ query, redirect, request, set }) => {
        const next = safeNext(query.next)
        const half = await halfOf(context, request)
        if (!half) return redirect(startAgain(next), 303)
        return showCode(deps, request, set, { half, next, refusal: null })
      },
      { ...isPublic, query: Query },
    )
    .post(
      '/dashboard/sign-in/code',
      async ({ body, redirect, request, set }) => {
        const next = safeNext(body.next)
        const half = await halfOf(context, request)
        if (!half) return redirect(startAgain(next), 303)
        let token: string | null = null
        const refusal = await refusalOf(async () => {
          limit(request)
          const own = unsigned(context, request)
          const enter = () => enterCode(own, half.token, body.code, browserOf(deps, request))
          token = await tries.counting(`code:${half.user.id}`, enter, WRONG_CODES_MAX)
        })
        if (refusal) return showCode(deps, request, set, { half, next, refusal })
        if (token === null) return redirect(startAgain(next), 303)
        Object.assign(set.headers, loginCookie(dashboardUrl, token))
        return redirect(next, 303)
      },
      { ...isPublic, body: CodeForm },
    )
}
