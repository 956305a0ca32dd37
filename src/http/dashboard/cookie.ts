import { canSignInAt, HALF_LOGIN_MS, KNOWN_MS, LOGIN_MS } from '../../domain/user.ts'

/** A cookie that contains a token, and the patterns that find the token in a request. */
interface TokenCookie {
  name: string
  ms: number
  secure: RegExp
  local: RegExp
}

/** The prefix of cookies that browsers keep only over HTTPS, and send to no other host. */
const HOST = '__Host-'

const tokenCookie = (name: string, ms: number): TokenCookie => ({
  name,
  ms,
  secure: new RegExp(`(?:^|;\\s*)${HOST}${name}=([A-Za-z0-9_-]{43})(?:;|$)`),
  // the cookie without the prefix, which is used over HTTP for a server on this machine
  local: new RegExp(`(?:^|;\\s*)${name}=([A-Za-z0-9_-]{43})(?:;|$)`),
})

const login = tokenCookie('florin_login', LOGIN_MS)
const halfLogin = tokenCookie('florin_code', HALF_LOGIN_MS)
/** The cookie by which a browser is recognized at the next sign-in. */
const browser = tokenCookie('florin_browser', KNOWN_MS)

const isSecure = (dashboardUrl: string): boolean => dashboardUrl.startsWith('https:')

/**
 * The token in a request; null if there is none. Over HTTPS, only the `__Host-` cookie counts, because no
 * other host can have set it.
 */
const tokenOf =
  (cookie: TokenCookie) =>
  ({ headers }: Request, dashboardUrl: string): string | null =>
    cookie[isSecure(dashboardUrl) ? 'secure' : 'local'].exec(headers.get('cookie') ?? '')?.[1] ?? null

export const loginTokenOf = tokenOf(login)
export const halfLoginTokenOf = tokenOf(halfLogin)
export const browserTokenOf = tokenOf(browser)

function cookieOf(dashboardUrl: string, { name, ms }: TokenCookie, value: string): string {
  const secure = isSecure(dashboardUrl)
  const seconds = value === '' ? 0 : ms / 1000
  const attributes = `Path=/; Max-Age=${seconds}; HttpOnly; SameSite=Lax${secure ? '; Secure' : ''}`
  return `${secure ? HOST : ''}${name}=${value}; ${attributes}`
}

type CookieHeader = { 'set-cookie': string | string[] }

/**
 * The cookies of a person who has passed every step of signing in: one for the login, and one for the
 * browser.
 */
export const loginCookies = (dashboardUrl: string, token: string, browserToken: string): CookieHeader => ({
  'set-cookie': [cookieOf(dashboardUrl, login, token), cookieOf(dashboardUrl, browser, browserToken)],
})

export const halfLoginCookie = (dashboardUrl: string, token: string): CookieHeader => ({
  'set-cookie': cookieOf(dashboardUrl, halfLogin, token),
})

export const noLoginCookie = (dashboardUrl: string): CookieHeader => ({
  'set-cookie': cookieOf(dashboardUrl, login, ''),
})

/** True if a person may sign in with a request: over HTTPS, or on this machine. */
export const canSignIn = (request: Request, dashboardUrl: string): boolean =>
  isSecure(dashboardUrl) || canSignInAt(request.url)
