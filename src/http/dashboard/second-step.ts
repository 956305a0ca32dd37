import { Type } from '@sinclair/typebox'
import { Elysia } from 'elysia'
import { codeBody } from '../../../views/dashboard/second-factor.ts'
import type { Refusal } from '../../domain/errors.ts'
import { enterCode, findHalfLogin } from '../../operations/people/second-step.ts'
import { requirePerson } from './access.ts'
import { halfLoginTokenOf, loginCookie } from './cookie.ts'
import type { DashboardDeps } from './deps.ts'
import { browserOf, safeNext } from './entered.ts'
import { renderPage, type Settable } from './page.ts'
import { problemText, refusalOf } from './problem.ts'
import { WRONG_CODES_MAX } from './tries.ts'

const text = (maxLength: number) => Type.String({ maxLength })
const Query = Type.Object({ next: Type.Optional(text(2000)), lang: Type.Optional(text(20)) })
const CodeForm = Type.Object({ code: text(100), next: Type.Optional(text(2000)) })

const startAgain = (next: string): string => `/dashboard/sign-in?next=${encodeURIComponent(next)}`

/** The second step to sign in: the code of an authenticator app, or a recovery code. */
export const secondStepPages = (deps: DashboardDeps) => {
  const { context, limit, tries } = deps
  const { dashboardUrl } = context.policy
  const isPublic = requirePerson(context, 'public')
  const halfOf = async (request: Request) => {
    const token = halfLoginTokenOf(request, dashboardUrl)
    const user = token === null ? null : await findHalfLogin(context, token)
    return token === null || !user ? null : { token, user }
  }
  const show = (request: Request, set: Settable, next: string, refusal: Refusal | null) =>
    renderPage(deps, request, set, locale => {
      const { secondFactor } = locale.texts
      const isWrong = refusal?.code === 'unauthorized'
      const problem = refusal && (isWrong ? secondFactor.wrongCode : problemText(locale, refusal))
      return { title: secondFactor.codeTitle, body: codeBody(locale, { next, problem }) }
    })
  return new Elysia()
    .get(
      '/dashboard/sign-in/code',
      async ({ query, redirect, request, set }) => {
        const next = safeNext(query.next)
        if (!(await halfOf(request))) return redirect(startAgain(next), 303)
        return show(request, set, next, null)
      },
      { ...isPublic, query: Query },
    )
    .post(
      '/dashboard/sign-in/code',
      async ({ body, redirect, request, set }) => {
        const next = safeNext(body.next)
        const half = await halfOf(request)
        if (!half) return redirect(startAgain(next), 303)
        let token: string | null = null
        const refusal = await refusalOf(async () => {
          limit(request)
          const enter = () => enterCode(context, half.token, body.code, browserOf(deps, request))
          token = await tries.counting(`code:${half.user.id}`, enter, WRONG_CODES_MAX)
        })
        if (refusal) {
          set.status = refusal.status
          return show(request, set, next, refusal)
        }
        if (token === null) return redirect(startAgain(next), 303)
        Object.assign(set.headers, loginCookie(dashboardUrl, token))
        return redirect(next, 303)
      },
      { ...isPublic, body: CodeForm },
    )
}
