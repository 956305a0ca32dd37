import { askForPasskey, signInWithPasskey } from '../../operations/people/use-passkey.ts'
import { canSignIn } from './cookie.ts'
import { optional } from './fields.ts'
import { ask, form, type Route } from './kit.ts'
import { browserOf, keepLogin, safeNext, signInUrl } from './login-path.ts'
import { answer } from './passkeys.ts'
import { halfOf, showSecondStep } from './second-step.ts'
import { signInView } from './sign-in.ts'
import type { PublicVisit } from './visit.ts'

const fields = { answer, next: optional(2000) }

/** The cost of one request. Requesting the challenge and sending the answer count as one try together. */
const HALF_A_TRY = 0.5

interface Half {
  token: string
  userId: string
}

/** Signs in, and sets the cookie of the login. */
async function signIn(visit: PublicVisit, answer: string, half: Half | null): Promise<void> {
  const { context, deps, request } = visit
  deps.limit(request, HALF_A_TRY)
  keepLogin(visit, await signInWithPasskey(context, answer, browserOf(visit), half))
}

/** The routes to sign in with a passkey: instead of the password, or after it instead of a code. */
export const passkeySignInRoutes: readonly Route[] = [
  ask({
    path: '/dashboard/sign-in/passkey-options',
    access: 'public',
    async answer({ context, deps, request }) {
      deps.limit(request, HALF_A_TRY)
      return askForPasskey(context, null)
    },
  }),
  form({
    path: '/dashboard/sign-in/passkey',
    access: 'public',
    fields,
    async run(visit) {
      const isPossible = canSignIn(visit.request, visit.context.policy.dashboardUrl)
      if (isPossible) await signIn(visit, visit.body.answer, null)
      return isPossible
    },
    done: (isSignedIn, { body }) => (isSignedIn ? safeNext(body.next) : signInUrl(safeNext(body.next))),
    refused: (refusal, visit) => signInView(visit, { next: safeNext(visit.body.next), refusal }),
  }),
  ask({
    path: '/dashboard/sign-in/code/passkey-options',
    access: 'public',
    async answer(visit) {
      visit.deps.limit(visit.request, HALF_A_TRY)
      const half = await halfOf(visit)
      return askForPasskey(visit.context, half?.user.id ?? null)
    },
  }),
  form({
    path: '/dashboard/sign-in/code/passkey',
    access: 'public',
    fields,
    async run(visit) {
      const half = await halfOf(visit)
      if (half) await signIn(visit, visit.body.answer, { token: half.token, userId: half.user.id })
      return half !== null
    },
    done: (isSignedIn, { body }) => (isSignedIn ? safeNext(body.next) : signInUrl(safeNext(body.next))),
    refused: (refusal, visit) => showSecondStep(visit, safeNext(visit.body.next), refusal),
  }),
]
