import { LOGIN_MS } from '../../domain/user.ts'

/** Browsers keep a `__Host-` cookie only over HTTPS, and send it to no other host. */
const SECURE_NAME = '__Host-florin_login'
/** Over HTTP, on this machine. */
const LOCAL_NAME = 'florin_login'

const isSecure = (dashboardUrl: string): boolean => dashboardUrl.startsWith('https:')

const patterns = {
  secure: /(?:^|;\s*)__Host-florin_login=([A-Za-z0-9_-]{43})(?:;|$)/,
  local: /(?:^|;\s*)florin_login=([A-Za-z0-9_-]{43})(?:;|$)/,
}

/**
 * The token of the login in a request; null if there is none. Over HTTPS only the cookie counts that no other
 * host can have set.
 */
export const loginTokenOf = ({ headers }: Request, dashboardUrl: string): string | null =>
  patterns[isSecure(dashboardUrl) ? 'secure' : 'local'].exec(headers.get('cookie') ?? '')?.[1] ?? null

function cookie(dashboardUrl: string, value: string, seconds: number): Record<string, string> {
  const secure = isSecure(dashboardUrl)
  const attributes = `Path=/; Max-Age=${seconds}; HttpOnly; SameSite=Lax${secure ? '; Secure' : ''}`
  return { 'set-cookie': `${secure ? SECURE_NAME : LOCAL_NAME}=${value}; ${attributes}` }
}

export const loginCookie = (dashboardUrl: string, token: string): Record<string, string> =>
  cookie(dashboardUrl, token, LOGIN_MS / 1000)

export const noLoginCookie = (dashboardUrl: string): Record<string, string> => cookie(dashboardUrl, '', 0)

const loopback = /^(localhost|127(?:\.\d{1,3}){3}|\[::1\])$/

/** Whether a person may sign in with a request: over HTTPS, or on this machine. */
export const canSignIn = (request: Request, dashboardUrl: string): boolean =>
  isSecure(dashboardUrl) || loopback.test(new URL(request.url).hostname)
