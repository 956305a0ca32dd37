import { SHOP_FIELD } from '../../../views/dashboard/shown-shop.ts'
import { Refusal } from '../../domain/errors.ts'
import { type DashboardAccess, isAllowed, PROOF_MS, roles } from '../../domain/user.ts'
import type { Context } from '../../operations/context.ts'
import { WrongPasskey } from '../../operations/people/passkeys.ts'
import { isProven, prove, WrongPassword } from '../../operations/people/prove.ts'
import { CopiedPasskey, proveByPasskey } from '../../operations/people/use-passkey.ts'
import { findVisit, type Visit } from '../../operations/people/visit.ts'
import { readForm } from '../body.ts'
import { requestId } from '../request-state.ts'
import { loginTokenOf } from './cookie.ts'
import type { DashboardDeps } from './deps.ts'
import { checkSameOrigin } from './same-origin.ts'

/** Leads to the page to sign in, and from there back to `next`. */
export class SignInRequired extends Refusal {
  constructor(readonly next: string) {
    super('unauthorized', 'Sign in to the dashboard.')
  }
}

/** The person's role does not suffice, or they have no merchant. */
export class RoleRefusal extends Refusal {
  constructor(readonly access: DashboardAccess) {
    super('forbidden', 'Your role does not allow this.')
  }
}

/** The form is of a page of another shop than the one that the person has chosen since. */
export class OtherShop extends Refusal {
  constructor() {
    super('conflict', 'You chose another shop after you opened this page.')
  }
}

/** An operator opened a page of a shop before there is one. */
export class NoShop extends Refusal {
  constructor() {
    super('validation_error', 'This page needs a shop. Create one first.')
  }
}

/** The person must enter their password again, and then sends the same form once more. */
export class ProofRequired extends Refusal {
  constructor(
    /** what was entered */
    readonly form: Record<string, string>,
    /** why what was entered did not prove it; null if nothing was entered */
    readonly wrong: Refusal | null,
  ) {
    super('unauthorized', 'Enter your password again.')
  }
}

const visits = new WeakMap<Request, Promise<Visit | null>>()

/** Who sent a request; null if nobody is signed in. Looked up once for a request. */
export function visitorOf(context: Context, request: Request): Promise<Visit | null> {
  const known = visits.get(request)
  if (known !== undefined) return known
  const token = loginTokenOf(request, context.policy.dashboardUrl)
  const visit = token === null ? Promise.resolve(null) : findVisit(context, token)
  visits.set(request, visit)
  return visit
}

export function requireRole({ role, user }: Visit, access: DashboardAccess): void {
  if (!isAllowed(access, role, user.isOperator)) throw new RoleRefusal(access)
}

async function admit(context: Context, request: Request, access: DashboardAccess): Promise<void> {
  const url = new URL(request.url)
  if (request.method !== 'GET') checkSameOrigin(request, context.policy.dashboardUrl)
  if (access === 'public') return
  const visit = await visitorOf(context, request)
  const next = request.method === 'GET' ? url.pathname + url.search : '/dashboard'
  if (!visit) throw new SignInRequired(next)
  requireRole(visit, access)
}

const isOfShop = (access: DashboardAccess): boolean => roles.some(role => role === access)

/** Takes the shop of its page out of a form. Undefined if the form does not say. */
function takeShownShop(form: unknown): unknown {
  const { fields = form } = form as { fields?: unknown }
  const named = fields as Record<string, unknown>
  const { [SHOP_FIELD]: shown } = named
  delete named[SHOP_FIELD]
  return shown
}

interface RequestParts {
  request: Request
}

type ReadBody = (request: Request, personId: string) => Promise<unknown>

/** A note of 2,000 characters has nine bytes for each in many scripts. */
const FORM_MAX = 64 * 1024

const readShortForm: ReadBody = request => readForm(request, FORM_MAX)

/**
 * The hooks of a route of the dashboard. Who asks is checked before the form is read and before parameters
 * are validated. A form must come from a page of this server.
 */
export const requirePerson = (context: Context, access: DashboardAccess, readBody = readShortForm) => ({
  detail: { hide: true, access },
  parse: async ({ request }: RequestParts) => {
    await admit(context, request, access)
    const person = access === 'public' ? null : await visitorOf(context, request)
    const form = await readBody(request, person?.user.id ?? '')
    // A form can take minutes to arrive, and the login may have ended meanwhile.
    visits.delete(request)
    await admit(context, request, access)
    const shown = takeShownShop(form)
    const visit = isOfShop(access) ? await visitorOf(context, request) : null
    if (visit && shown !== undefined && shown !== visit.merchant?.id) throw new OtherShop()
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

async function proveBy(deps: DashboardDeps, request: Request, form: Record<string, string>): Promise<void> {
  const visit = await personOf(deps.context, request)
  const { [PROOF_FIELD]: password, [PASSKEY_PROOF_FIELD]: answer, ...rest } = form
  delete form[PROOF_FIELD]
  delete form[PASSKEY_PROOF_FIELD]
  if (isProven(deps.context, visit, FORM_PROOF_MS)) return
  if (password === undefined && answer === undefined) throw new ProofRequired(rest, null)
  try {
    await (answer === undefined
      ? deps.tries.counting(visit.user.id, () => prove(deps.context, visit, password ?? ''))
      : deps.tries.counting(`passkey:${visit.user.id}`, () => proveByPasskey(visit.context, visit, answer)))
  } catch (error) {
    const isWrong = [WrongPassword, WrongPasskey, CopiedPasskey].some(kind => error instanceof kind)
    throw isWrong ? new ProofRequired(rest, error as Refusal) : error
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

/** A visit of somebody who is signed in. */
type PersonVisit = Visit & {
  /** for operations: it names the person and the request in the audit log */
  context: Context
}

/** Who is signed in, on a route that requires it. */
export async function personOf(context: Context, request: Request): Promise<PersonVisit> {
  const visit = await visitorOf(context, request)
  if (!visit) throw new Error('the route does not require anybody to be signed in')
  const origin = { actor: `user:${visit.user.id}`, requestId: requestId(request) } as const
  return { ...visit, context: { ...context, origin } }
}

/** A visit with a merchant: every route with a role has one. */
export type ShopVisit = PersonVisit & { merchant: NonNullable<Visit['merchant']> }

/** Who is signed in and for which merchant, on a route that requires a role. */
export async function shopOf(context: Context, request: Request): Promise<ShopVisit> {
  const visit = await personOf(context, request)
  const { merchant } = visit
  // Only an operator passes a role without a merchant.
  if (!merchant) throw new NoShop()
  return { ...visit, merchant }
}
