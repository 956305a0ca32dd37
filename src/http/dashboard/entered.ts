import type { Context } from '../../operations/context.ts'
import type { Browser, Entered } from '../../operations/people/sign-in.ts'
import { browserNames } from '../../present/browser.ts'
import { requestId } from '../request-state.ts'
import { halfLoginCookie, loginCookie } from './cookie.ts'
import type { DashboardDeps } from './deps.ts'
import type { Settable } from './page.ts'

/** Only a path of the dashboard, so that nobody is led elsewhere. */
export const safeNext = (next: string | undefined): string =>
  next && /^\/dashboard(?:[/?][A-Za-z0-9_.~%&=+?/:@,-]*)?$/.test(next) ? next : '/dashboard'

/** The names are known words: a stranger may write anything into the header. */
export function browserOf({ addressOf }: Pick<DashboardDeps, 'addressOf'>, request: Request): Browser {
  const userAgent = request.headers.get('user-agent') ?? ''
  return { userAgent, names: browserNames(userAgent), address: addressOf(request) }
}

/** For operations of somebody who is not signed in yet. */
export const unsigned = (context: Context, request: Request): Context => ({
  ...context,
  origin: { ...context.origin, requestId: requestId(request) },
})

/** Sets the cookie of somebody who entered their password, and returns where they go. */
export function enteredPath(
  set: Pick<Settable, 'headers'>,
  dashboardUrl: string,
  { token, needsCode }: Entered,
  next: string,
): string {
  Object.assign(set.headers, (needsCode ? halfLoginCookie : loginCookie)(dashboardUrl, token))
  return needsCode ? `/dashboard/sign-in/code?next=${encodeURIComponent(next)}` : next
}
