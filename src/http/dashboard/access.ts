import { SHOP_FIELD } from '../../../views/dashboard/parts.ts'
import { Refusal } from '../../domain/errors.ts'
import type { PersonReason, Reason } from '../../domain/reason.ts'
import { type DashboardAccess, PROOF_MS } from '../../domain/user.ts'
import type { Context } from '../../operations/context.ts'
import { isProven, prove } from '../../operations/people/prove.ts'
import { proveByPasskey } from '../../operations/people/use-passkey.ts'
import { readForm } from '../body.ts'
import type { DashboardDeps } from './deps.ts'
import { checkSameOrigin } from './same-origin.ts'
import { forgetVisitor, isOfShop, personOf, requireRole, visitorOf } from './visit.ts'

async function admit(context: Context, request: Request, access: DashboardAccess): Promise<void> {
  if (request.method !== 'GET') checkSameOrigin(request, context.policy.dashboardUrl)
  if (access === 'public') return
  const visit = await visitorOf(context, request)
  if (!visit) {
    const { pathname, search } = new URL(request.url)
    const next = request.method === 'GET' ? pathname + search : '/dashboard'
    const reason = { kind: 'sign_in_required', next } as const
    throw new Refusal('unauthorized', 'Sign in to the dashboard.', { reason })
  }
  requireRole(visit, access)
}

/** Takes the shop of its page out of a form. Undefined if the form does not say. */
function takeShop(form: unknown): unknown {
  const { fields = form } = form as { fields?: unknown }
  const named = fields as Record<string, unknown>
  const { [SHOP_FIELD]: shop } = named
  delete named[SHOP_FIELD]
  return shop
}

interface RequestParts {
  request: Request
}

export type ReadBody = (request: Request, personId: string) => Promise<unknown>

/** A note of 2,000 characters has nine bytes for each in many scripts. */
const FORM_MAX = 64 * 1024

const readShortForm: ReadBody = request => readForm(request, FORM_MAX)

/**
 * The hooks of a route of the dashboard. Who asks is checked before the form is read and before parameters
 * are validated. A form must come from a page of this server, and of the shop that is chosen now.
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
    const shop = takeShop(form)
    const visit = isOfShop(access) ? await visitorOf(context, request) : null
    if (visit && shop !== undefined && shop !== visit.merchant?.id) {
      const message = 'You chose another shop after you opened this page.'
      throw new Refusal('conflict', message, { reason: { kind: 'other_shop' } })
    }
    return form
  },
  transform: ({ request }: RequestParts) => admit(context, request, access),
})

/** The name of the password in a form that is sent once more. */
export const PROOF_FIELD = 'proofPassword'
/** The name of the answer of a passkey instead. */
export const PASSKEY_PROOF_FIELD = 'proofPasskey'

/** A form that was opened while the proof counted can still be sent for a while. */
const FORM_PROOF_MS = 3 * PROOF_MS

/** Asks for the password, and then for the same form once more. */
const proofRequired = (form: Record<string, string>, wrong: PersonReason | null): Refusal =>
  new Refusal('unauthorized', 'Enter your password again.', {
    reason: { kind: 'proof_required', form, wrong },
  })

const isWrongProof = (reason: Reason): reason is PersonReason =>
  ['wrong_password', 'wrong_passkey', 'copied_passkey'].includes(reason.kind)

async function proveBy(deps: DashboardDeps, request: Request, form: Record<string, string>): Promise<void> {
  const visit = await personOf(deps, request, {})
  const { [PROOF_FIELD]: password, [PASSKEY_PROOF_FIELD]: answer, ...rest } = form
  delete form[PROOF_FIELD]
  delete form[PASSKEY_PROOF_FIELD]
  if (isProven(deps.context, visit, FORM_PROOF_MS)) return
  if (password === undefined && answer === undefined) throw proofRequired(rest, null)
  try {
    await (answer === undefined
      ? deps.tries.counting(visit.user.id, () => prove(deps.context, visit, password ?? ''))
      : deps.tries.counting(`passkey:${visit.user.id}`, () => proveByPasskey(visit.context, visit, answer)))
  } catch (error) {
    const reason = error instanceof Refusal ? error.reason : null
    throw reason && isWrongProof(reason) ? proofRequired(rest, reason) : error
  }
}

/**
 * The hooks of a route that changes what is worth stealing, such as keys and payout wallets. Who signed in
 * longer than ten minutes ago enters the password again: a page that was left open must not suffice. Nothing
 * that was entered in the form is lost.
 */
export const requireProof = (deps: DashboardDeps, access: DashboardAccess) => {
  const hooks = requirePerson(deps.context, access)
  return {
    ...hooks,
    parse: async (parts: RequestParts) => {
      const form = (await hooks.parse(parts)) as Record<string, string>
      await proveBy(deps, parts.request, form)
      return form
    },
  }
}
