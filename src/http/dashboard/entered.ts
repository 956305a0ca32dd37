import type { Browser, Entered } from '../../operations/people/sign-in.ts'
import { requestState } from '../request-state.ts'
import { halfLoginCookie, loginCookie } from './cookie.ts'
import type { Settable } from './page.ts'

/** Only a path of the dashboard, so that nobody is led elsewhere. */
export const safeNext = (next: string | undefined): string =>
  next && /^\/dashboard(?:[/?][A-Za-z0-9_.~%&=+?/:@,-]*)?$/.test(next) ? next : '/dashboard'

export const browserOf = (request: Request): Browser => ({
  userAgent: request.headers.get('user-agent') ?? '',
  address: requestState(request).peer() ?? '',
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
