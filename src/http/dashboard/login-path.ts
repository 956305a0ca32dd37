import type { Browser, LoginToken } from '../../operations/people/sign-in.ts'
import { browserNames } from '../../present/browser.ts'
import { halfLoginCookie, loginCookie, loginTokenOf } from './cookie.ts'
import type { PublicVisit } from './visit.ts'

/** Only a path of the dashboard, so that nobody is led elsewhere. */
export const safeNext = (next: string | undefined): string =>
  next && /^\/dashboard(?:[/?][A-Za-z0-9_.~%&=+?/:@,-]*)?$/.test(next) ? next : '/dashboard'

/** The page to sign in, from which somebody is led on to `next`. */
export const signInUrl = (next: string): string => `/dashboard/sign-in?next=${encodeURIComponent(next)}`

/** The names are known words: a stranger may write anything into the header. */
export function browserOf({ context, deps, request }: PublicVisit): Browser {
  const userAgent = request.headers.get('user-agent') ?? ''
  return {
    userAgent,
    names: browserNames(userAgent),
    address: deps.addressOf(request),
    loginToken: loginTokenOf(request, context.policy.dashboardUrl),
  }
}

/** Sets the cookie of somebody who passed every step. */
export function keepLogin({ context, headers }: PublicVisit, token: string): void {
  Object.assign(headers, loginCookie(context.policy.dashboardUrl, token))
}

/** Sets the cookie of somebody who entered their password, and returns where they go. */
export function enteredPath(visit: PublicVisit, { token, needsCode }: LoginToken, next: string): string {
  if (!needsCode) {
    keepLogin(visit, token)
    return next
  }
  Object.assign(visit.headers, halfLoginCookie(visit.context.policy.dashboardUrl, token))
  return `/dashboard/sign-in/code?next=${encodeURIComponent(next)}`
}
