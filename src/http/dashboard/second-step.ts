import { codeBody } from '../../../views/dashboard/second-factor.ts'
import type { Refusal } from '../../domain/errors.ts'
import { enterCode, findHalfLogin, type HalfUser } from '../../operations/people/second-step.ts'
import { passkeyUse } from './assets.ts'
import { halfLoginTokenOf } from './cookie.ts'
import { optional, text } from './fields.ts'
import { form, page, type Route } from './kit.ts'
import { browserOf, keepLogin, safeNext, signInUrl } from './login-path.ts'
import type { View } from './page.ts'
import { problemText } from './problem.ts'
import type { PublicVisit } from './visit.ts'

interface Half extends HalfUser {
  token: string
}

/**
 * The person who entered their password in this browser, and has yet to pass the second step; null if there
 * is no such person.
 */
export async function halfOf({ context, request }: PublicVisit): Promise<Half | null> {
  const token = halfLoginTokenOf(request, context.policy.dashboardUrl)
  const found = token === null ? null : await findHalfLogin(context, token)
  return token === null || !found ? null : { token, ...found }
}

/** The page of the second step. A person who has yet to enter their password is redirected to sign in. */
export async function showSecondStep(
  visit: PublicVisit,
  next: string,
  refusal: Refusal | null = null,
): Promise<View | string> {
  const half = await halfOf(visit)
  if (!half) return signInUrl(next)
  return locale => {
    const problem = refusal && problemText(locale, refusal)
    const passkey = half.hasPasskeys ? passkeyUse(visit.context) : null
    const body = codeBody(locale, { next, problem, hasApp: half.hasApp, passkey })
    return { title: locale.texts.secondFactor.codeTitle, body }
  }
}

/** The routes of the second step to sign in: the code of an authenticator app, or a recovery code. */
export const secondStepRoutes: readonly Route[] = [
  page({
    path: '/dashboard/sign-in/code',
    access: 'public',
    query: { next: optional(2000) },
    show: visit => showSecondStep(visit, safeNext(visit.query.next)),
  }),
  form({
    path: '/dashboard/sign-in/code',
    access: 'public',
    fields: { code: text(100), next: optional(2000) },
    async run(visit) {
      const { context, deps, request, body } = visit
      const half = await halfOf(visit)
      if (!half) return null
      deps.limit(request)
      return enterCode(context, half.token, body.code, browserOf(visit))
    },
    done(token, visit) {
      const next = safeNext(visit.body.next)
      if (token === null) return signInUrl(next)
      keepLogin(visit, token)
      return next
    },
    refused: (refusal, visit) => showSecondStep(visit, safeNext(visit.body.next), refusal),
  }),
]
