import { pathOf } from './request-state.ts'

/** The API that needs no key: the pages of any shop may call it. Nothing there depends on cookies. */
const OPEN = '/v1/checkout/'

const headers: Record<string, string> = {
  'access-control-allow-origin': '*',
  'access-control-expose-headers': 'Retry-After, X-Request-Id',
}
const preflight: Record<string, string> = {
  'access-control-allow-methods': 'GET, HEAD, POST',
  'access-control-allow-headers': 'Content-Type',
  'access-control-max-age': '86400',
}

/** The headers that allow pages of other origins to read the response; none for most requests. */
export const crossOriginHeaders = ({ url }: Request): Record<string, string> =>
  pathOf(url).startsWith(OPEN) ? headers : {}

/** Answers a browser that asks if a page of another origin may send its request. */
export const preflightResponse = (
  { method, url, headers: sent }: Request,
  given: Record<string, unknown>,
): Response | undefined =>
  method === 'OPTIONS' && sent.has('access-control-request-method') && pathOf(url).startsWith(OPEN)
    ? new Response(null, { status: 204, headers: { ...(given as Record<string, string>), ...preflight } })
    : undefined
