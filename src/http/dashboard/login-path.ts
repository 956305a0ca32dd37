import type { Browser, LoginToken } from '../../operations/people/sign-in.ts'
import { browserNames } from '../../present/browser.ts'
import { networkOf } from '../client-address.ts'
import { browserTokenOf, halfLoginCookie, loginCookies, loginTokenOf } from './cookie.ts'
import type { PublicVisit } from './visit.ts'

const TOKEN_BYTES = 32

/**
 * Returns `next` if it is a path of the dashboard; else the first page, so that no link can lead to another
 * site.
 */
export const safeNext = (next: string | undefined): string =>
  next && /^\/dashboard(?:[/?][A-Za-z0-9_.~%&=+?/:@,-]*)?$/.test(next) ? next : '/dashboard'

/** The URL of the page to sign in, which leads to `next` afterwards. */
export const signInUrl = (next: string): string => `/dashboard/sign-in?next=${encodeURIComponent(next)}`

const newTokens = new WeakMap<Request, string>()

/** The token of the browser's cookie, or a new one that the browser gets with the answer to this request. */
function browserTokenFor({ context, request }: PublicVisit): string {
  const known = browserTokenOf(request, context.policy.dashboardUrl) ?? newTokens.get(request)
  if (known !== undefined) return known
  const token = Buffer.from(context.ids.random(TOKEN_BYTES)).toString('base64url')
  newTokens.set(request, token)
  return token
}

/**
 * The browser of a visit. Its names are known words, because a stranger may write anything into the header.
 */
export function browserOf(visit: PublicVisit): Browser {
  const { context, deps, request } = visit
  const userAgent = request.headers.get('user-agent') ?? ''
  const address = deps.addressOf(request)
  return {
    token: browserTokenFor(visit),
    userAgent,
    names: browserNames(userAgent),
    address,
    network: networkOf(address),
    loginToken: loginTokenOf(request, context.policy.dashboardUrl),
  }
}

/** Sets the cookies of a person who has passed every step of signing in. */
export function keepLogin(visit: PublicVisit, token: string): void {
  const { dashboardUrl } = visit.context.policy
  Object.assign(visit.headers, loginCookies(dashboardUrl, token, browserTokenFor(visit)))
}

/** Sets the cookie of a person who entered their password, and returns the path of the next page. */
export function enteredPath(visit: PublicVisit, { token, needsCode }: LoginToken, next: string): string {
  if (!needsCode) {
    keepLogin(visit, token)
    return next
  }
  Object.assign(visit.headers, halfLoginCookie(visit.context.policy.dashboardUrl, token))
  return `/dashboard/sign-in/code?next=${encodeURIComponent(next)}`
}
