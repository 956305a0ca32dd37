import { pathOf } from './request-state.ts'

/**
 * The path of the API that needs no key. Pages of any shop may call it, because nothing there depends on
 * cookies.
 */
const OPEN = '/v1/checkout/'

/** Searches the whole URL first: for most requests, this makes parsing the path unnecessary. */
const isOpen = (url: string): boolean => url.includes(OPEN) && pathOf(url).startsWith(OPEN)

const none: Record<string, string> = {}
const headers: Record<string, string> = {
  'access-control-allow-origin': '*',
  'access-control-expose-headers':
    'RateLimit-Limit, RateLimit-Remaining, RateLimit-Reset, Retry-After, X-Request-Id',
}
const preflight: Record<string, string> = {
  'access-control-allow-methods': 'GET, HEAD, POST',
  'access-control-allow-headers': 'Content-Type',
  'access-control-max-age': '86400',
}

/** The headers that allow pages of other origins to read the response; empty for most requests. */
export const crossOriginHeaders = ({ url }: Request): Record<string, string> => (isOpen(url) ? headers : none)

/**
 * Answers the preflight request of a browser, which asks if a page of another origin may send its request.
 */
export const preflightResponse = (
  { method, url, headers: sent }: Request,
  given: Record<string, unknown>,
): Response | undefined =>
  method === 'OPTIONS' && sent.has('access-control-request-method') && isOpen(url)
    ? new Response(null, { status: 204, headers: { ...(given as Record<string, string>), ...preflight } })
    : undefined
