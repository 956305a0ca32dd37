import { Refusal } from '../../domain/errors.ts'
import { type DashboardAccess, isAllowed, type Role, roles } from '../../domain/user.ts'
import type { Context } from '../../operations/context.ts'
import { findVisit, type Visit } from '../../operations/people/visit.ts'
import { originOf } from '../request-state.ts'
import { loginTokenOf } from './cookie.ts'
import type { DashboardDeps, ResponseHeaders } from './deps.ts'

/** The values that every route of the dashboard gets. */
export interface PublicVisit {
  deps: DashboardDeps
  request: Request
  /** headers of the response */
  headers: ResponseHeaders
  /** context for operations, from which the audit log gets the request, and the person if one is signed in */
  context: Context
}

/** A visit of a person who is signed in. */
export interface PersonVisit extends PublicVisit, Visit {
  may(access: DashboardAccess): boolean
}

/** A visit with a merchant, which every route for a role has. */
export interface ShopVisit extends PersonVisit {
  merchant: NonNullable<Visit['merchant']>
}

/** The visit that a route gets, depending on who may use the route. */
export type VisitOf<Access extends DashboardAccess> = Access extends Role
  ? ShopVisit
  : Access extends 'public'
    ? PublicVisit
    : PersonVisit

const visits = new WeakMap<Request, Promise<Visit | null>>()

/**
 * The visit of the person who sent a request; null if nobody is signed in. It is looked up once for a
 * request.
 */
export function visitorOf(context: Context, request: Request): Promise<Visit | null> {
  const known = visits.get(request)
  if (known !== undefined) return known
  const token = loginTokenOf(request, context.policy.dashboardUrl)
  const visit = token === null ? Promise.resolve(null) : findVisit(context, token)
  visits.set(request, visit)
  return visit
}

/**
 * Has the person looked up again, because a form can take minutes to arrive, and the login may have ended.
 */
export const forgetVisitor = (request: Request): void => {
  visits.delete(request)
}

/**
 * Refuses a person whose role does not suffice. A person who lacks a required second factor may only use
 * their own account, where they set one up.
 */
export function requireRole({ role, user, lacksSecondFactor }: Visit, access: DashboardAccess): void {
  if (lacksSecondFactor && access !== 'person') {
    const message = 'Set up a second factor first, on the page of your account in the dashboard.'
    throw new Refusal('forbidden', message, { reason: { kind: 'second_factor_required' } })
  }
  if (!isAllowed(access, role, user.isOperator))
    throw new Refusal('forbidden', 'Your role does not allow this.', { reason: { kind: 'role', access } })
}

export const isOfShop = (access: DashboardAccess): boolean => roles.some(role => role === access)

export const hasShop = (visit: PersonVisit): visit is ShopVisit => visit.merchant !== null

/** The visit of a person who is signed in, on a route that requires it. */
export async function personOf(
  deps: DashboardDeps,
  request: Request,
  headers: ResponseHeaders,
): Promise<PersonVisit> {
  const visit = await visitorOf(deps.context, request)
  if (!visit) throw new Error('the route does not require anybody to be signed in')
  const { user, role } = visit
  const origin = originOf(request, `user:${user.id}`)
  return {
    ...visit,
    deps,
    request,
    headers,
    context: { ...deps.context, origin },
    may: access => isAllowed(access, role, user.isOperator),
  }
}

/** The visit that a route gets, once the request has been admitted. */
export async function visitOf(
  deps: DashboardDeps,
  request: Request,
  headers: ResponseHeaders,
  access: DashboardAccess,
): Promise<PublicVisit> {
  if (access === 'public') {
    const origin = originOf(request, deps.context.origin.actor)
    return { deps, request, headers, context: { ...deps.context, origin } }
  }
  const visit = await personOf(deps, request, headers)
  // Without a merchant, only an operator has passed the check of the role.
  if (!isOfShop(access) || hasShop(visit)) return visit
  const message = 'This page needs a shop. Create one first.'
  throw new Refusal('validation_error', message, { reason: { kind: 'no_shop' } })
}
