import { Type } from '@sinclair/typebox'
import { Elysia } from 'elysia'
import { askForPasskey, claimedUser, signInWithPasskey } from '../../operations/people/use-passkey.ts'
import { requirePerson } from './access.ts'
import { canSignIn, loginCookie } from './cookie.ts'
import type { DashboardDeps } from './deps.ts'
import { browserOf, safeNext, unsigned } from './entered.ts'
import type { Settable } from './page.ts'
import { answer as Answer } from './passkeys.ts'
import { refusalOf } from './problem.ts'
import { halfOf, showCode } from './second-step.ts'
import { showSignIn } from './sign-in.ts'

const PasskeyForm = Type.Object({ answer: Answer, next: Type.Optional(Type.String({ maxLength: 2000 })) })

/** Asking for what has to be signed, and the answer, count as one try together. */
const HALF_A_TRY = 0.5

interface Half {
  token: string
  userId: string
}

/** To sign in with a passkey: instead of the password, or after it instead of a code. */
export const passkeySignIn = (deps: DashboardDeps) => {
  const { context, limit, tries } = deps
  const { dashboardUrl } = context.policy
  const isPublic = requirePerson(context, 'public')
  /** Sets the cookie of the login. Returns why it was refused. */
  const signIn = (request: Request, set: Settable, answer: string, half: Half | null) =>
    refusalOf(async () => {
      limit(request, HALF_A_TRY)
      const own = unsigned(context, request)
      const enter = () => signInWithPasskey(own, answer, browserOf(deps, request), half)
      const claimed = half?.userId ?? (await claimedUser(context, answer))
      const token = await (claimed === null ? enter() : tries.counting(`passkey:${claimed}`, enter))
      Object.assign(set.headers, loginCookie(dashboardUrl, token))
    })
  const startAgain = (next: string): string => `/dashboard/sign-in?next=${encodeURIComponent(next)}`
  return new Elysia()
    .post(
      '/dashboard/sign-in/passkey-options',
      ({ request }) => {
        limit(request, HALF_A_TRY)
        return askForPasskey(context, null)
      },
      isPublic,
    )
    .post(
      '/dashboard/sign-in/passkey',
      async ({ body, redirect, request, set }) => {
        const next = safeNext(body.next)
        if (!canSignIn(request, dashboardUrl)) return redirect(startAgain(next), 303)
        const refusal = await signIn(request, set, body.answer, null)
        if (!refusal) return redirect(next, 303)
        return showSignIn(deps, request, set, { next, refusal })
      },
      { ...isPublic, body: PasskeyForm },
    )
    .post(
      '/dashboard/sign-in/code/passkey-options',
      async ({ request }) => {
        limit(request, HALF_A_TRY)
        const half = await halfOf(context, request)
        return askForPasskey(context, half?.user.id ?? null)
      },
      isPublic,
    )
    .post(
      '/dashboard/sign-in/code/passkey',
      async ({ body, redirect, request, set }) => {
        const next = safeNext(body.next)
        const half = await halfOf(context, request)
        if (!half) return redirect(startAgain(next), 303)
        const refusal = await signIn(request, set, body.answer, { token: half.token, userId: half.user.id })
        if (!refusal) return redirect(next, 303)
        return showCode(deps, request, set, { half, next, refusal })
      },
      { ...isPublic, body: PasskeyForm },
    )
}
