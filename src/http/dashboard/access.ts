import { SHOP_FIELD, STAMP_FIELD } from '../../../views/dashboard/parts.ts'
import { PASSKEY_PROOF_FIELD, PROOF_FIELD } from '../../../views/dashboard/proof.ts'
import { Refusal } from '../../domain/errors.ts'
import type { PersonReason, Reason } from '../../domain/reason.ts'
import type { DashboardAccess } from '../../domain/user.ts'
import type { Context } from '../../operations/context.ts'
import { isProven, prove } from '../../operations/people/prove.ts'
import { proveByPasskey } from '../../operations/people/use-passkey.ts'
import { readForm } from '../body.ts'
import { requestState } from '../request-state.ts'
import type { DashboardDeps } from './deps.ts'
import { safeNext } from './login-path.ts'
import { checkSameOrigin } from './same-origin.ts'
import { forgetVisitor, isOfShop, personOf, requireRole, visitorOf } from './visit.ts'

/**
 * Checks the access of a request, and notes for the log who was refused. A person who only has to sign in is
 * not noted.
 */
async function admit(context: Context, request: Request, access: DashboardAccess): Promise<void> {
  try {
    await check(context, request, access)
  } catch (error) {
    if (error instanceof Refusal && error.code === 'forbidden') {
      const visit = await visitorOf(context, request)
      const reason = error.reason?.kind ?? error.code
      requestState(request).denied = { userId: visit?.user.id ?? null, reason }
    }
    throw error
  }
}

/** The page to show after signing in: the one that was requested, or the page of the form that was sent. */
function pageOf({ headers, method, url }: Request): string {
  const from = method === 'GET' ? url : headers.get('referer')
  if (!from || !URL.canParse(from)) return '/dashboard'
  const { pathname, search } = new URL(from)
  return safeNext(pathname + search)
}

async function check(context: Context, request: Request, access: DashboardAccess): Promise<void> {
  if (request.method !== 'GET') checkSameOrigin(request, context.policy.dashboardUrl)
  if (access === 'public') return
  const visit = await visitorOf(context, request)
  if (!visit) {
    const reason = { kind: 'sign_in_required', next: pageOf(request) } as const
    throw new Refusal('unauthorized', 'Sign in to the dashboard.', { reason })
  }
  requireRole(visit, access)
}

/**
 * Removes a value that every form has besides its own fields, and returns it. Undefined if the form does not
 * have it.
 */
function take(form: unknown, name: string): unknown {
  const { fields = form, lists } = form as { fields?: unknown; lists?: Record<string, unknown> }
  const named = fields as Record<string, unknown>
  const { [name]: value } = named
  delete named[name]
  delete lists?.[name]
  return value
}

const textOf = (value: unknown): string | null => (typeof value === 'string' && value !== '' ? value : null)

interface RequestParts {
  request: Request
}

export type ReadBody = (request: Request, personId: string) => Promise<unknown>

/**
 * Max bytes of a form. In many writing systems, a note of 2,000 characters takes nine URL-encoded bytes for
 * each.
 */
const FORM_MAX = 64 * 1024

const readShortForm: ReadBody = request => readForm(request, FORM_MAX)

/** The fields of a form that prove who sends it. */
interface GivenProof {
  password: string | null
  /** the answer of a passkey */
  answer: string | null
  stamp: string | null
}

const given = new WeakMap<Request, GivenProof>()

/**
 * The hooks of a route of the dashboard. They check the person before the form is read and before parameters
 * are validated. A form must come from a page of this server, and from one of the shop that is chosen now.
 */
export const requirePerson = (
  context: Context,
  access: DashboardAccess,
  readBody: ReadBody = readShortForm,
) => ({
  detail: { hide: true, access },
  parse: async ({ request }: RequestParts) => {
    await admit(context, request, access)
    const person = access === 'public' ? null : await visitorOf(context, request)
    const form = await readBody(request, person?.user.id ?? '')
    forgetVisitor(request)
    await admit(context, request, access)
    const shop = take(form, SHOP_FIELD)
    given.set(request, {
      password: textOf(take(form, PROOF_FIELD)),
      answer: textOf(take(form, PASSKEY_PROOF_FIELD)),
      stamp: textOf(take(form, STAMP_FIELD)),
    })
    const visit = isOfShop(access) ? await visitorOf(context, request) : null
    if (visit && shop !== undefined && shop !== visit.merchant?.id) {
      const message = 'You chose another shop after you opened this page.'
      throw new Refusal('conflict', message, { reason: { kind: 'other_shop' } })
    }
    return form
  },
  transform: ({ request }: RequestParts) => admit(context, request, access),
})

/** The refusal that shows a page which asks for the password and then sends the same form once more. */
const proofRequired = (form: unknown, wrong: PersonReason | null): Refusal =>
  new Refusal('unauthorized', 'Enter your password again.', {
    reason: { kind: 'proof_required', form: { ...(form as Record<string, string>) }, wrong },
  })

const isWrongProof = (reason: Reason): reason is PersonReason =>
  ['wrong_password', 'wrong_passkey', 'copied_passkey'].includes(reason.kind)

async function proveBy(deps: DashboardDeps, request: Request, form: unknown, when: ProofTime): Promise<void> {
  const visit = await personOf(deps, request, {})
  const { password = null, answer = null, stamp = null } = given.get(request) ?? {}
  if (when === 'recently' && isProven(deps.context, visit, stamp)) return
  if (password === null && answer === null) throw proofRequired(form, null)
  try {
    await (answer === null
      ? prove(visit.context, visit, password ?? '', deps.addressOf(request))
      : proveByPasskey(visit.context, visit, answer))
  } catch (error) {
    const reason = error instanceof Refusal ? error.reason : null
    throw reason && isWrongProof(reason) ? proofRequired(form, reason) : error
  }
}

/**
 * The time at which the sender of a form must have proved who they are: in the last ten minutes, or with this
 * form.
 */
export type ProofTime = 'recently' | 'now'

/**
 * The refusals of proofs that `parse` keeps instead of throwing them. The form itself is then shown again,
 * not the page that asks for the proof.
 */
const refusals = new WeakMap<Request, unknown>()

/** Throws the refusal of the proof, if there is one, for a form with a file. */
export function checkProof(request: Request): void {
  if (refusals.has(request)) throw refusals.get(request)
}

/**
 * The hooks of a route that changes something worth stealing, such as keys and payout wallets. A person who
 * signed in longer than ten minutes ago enters the password again, because a page may have been left open.
 * Values that were entered in a short form are kept meanwhile. A form with a file asks for the password
 * itself.
 */
export const requireProof = (
  deps: DashboardDeps,
  access: DashboardAccess,
  when: ProofTime,
  readBody?: ReadBody,
) => {
  const hooks = requirePerson(deps.context, access, readBody)
  return {
    ...hooks,
    detail: { ...hooks.detail, proof: when },
    parse: async (parts: RequestParts) => {
      const form = await hooks.parse(parts)
      try {
        await proveBy(deps, parts.request, form, when)
      } catch (error) {
        if (!readBody) throw error
        refusals.set(parts.request, error)
      }
      return form
    },
  }
}
