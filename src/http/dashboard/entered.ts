import type { Browser, Entered } from '../../operations/people/sign-in.ts'
import { browserNames } from '../../present/browser.ts'
import { halfLoginCookie, loginCookie } from './cookie.ts'
import type { DashboardDeps } from './deps.ts'
import type { Settable } from './page.ts'

/** Only a path of the dashboard, so that nobody is led elsewhere. */
export const safeNext = (next: string | undefined): string =>
  next && /^\/dashboard(?:[/?][A-Za-z0-9_.~%&=+?/:@,-]*)?$/.test(next) ? next : '/dashboard'

/** The name has only known words: a stranger may write anything into the header. */
export function browserOf({ addressOf }: Pick<DashboardDeps, 'addressOf'>, request: Request): Browser {
  const userAgent = request.headers.get('user-agent') ?? ''
  const { browser, system } = browserNames(userAgent)
  const name = `${browser ?? 'an unknown browser'}${system === null ? '' : ` on ${system}`}`
  return { userAgent, name, address: addressOf(request) }
}

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
