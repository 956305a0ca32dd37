import type { Browser, LoginToken } from '../../operations/people/sign-in.ts'
import { browserNames } from '../../present/browser.ts'
import { browserTokenOf, halfLoginCookie, loginCookies, loginTokenOf } from './cookie.ts'
import type { PublicVisit } from './visit.ts'

const TOKEN_BYTES = 32

/** Only a path of the dashboard, so that nobody is led elsewhere. */
export const safeNext = (next: string | undefined): string =>
  next && /^\/dashboard(?:[/?][A-Za-z0-9_.~%&=+?/:@,-]*)?$/.test(next) ? next : '/dashboard'

/** The page to sign in, from which somebody is led on to `next`. */
export const signInUrl = (next: string): string => `/dashboard/sign-in?next=${encodeURIComponent(next)}`

const newTokens = new WeakMap<Request, string>()

/** The token of the browser's cookie, or the one that it gets with the answer to this request. */
function browserTokenFor({ context, request }: PublicVisit): string {
  const known = browserTokenOf(request, context.policy.dashboardUrl) ?? newTokens.get(request)
  if (known !== undefined) return known
  const token = Buffer.from(context.ids.random(TOKEN_BYTES)).toString('base64url')
  newTokens.set(request, token)
  return token
}

/** The names are known words: a stranger may write anything into the header. */
export function browserOf(visit: PublicVisit): Browser {
  const { context, deps, request } = visit
  const userAgent = request.headers.get('user-agent') ?? ''
  return {
    token: browserTokenFor(visit),
    userAgent,
    names: browserNames(userAgent),
    address: deps.addressOf(request),
    loginToken: loginTokenOf(request, context.policy.dashboardUrl),
  }
}

/** Sets the cookies of somebody who passed every step. */
export function keepLogin(visit: PublicVisit, token: string): void {
  const { dashboardUrl } = visit.context.policy
  Object.assign(visit.headers, loginCookies(dashboardUrl, token, browserTokenFor(visit)))
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
