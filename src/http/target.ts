import { isIPv6 } from 'node:net'
import { invalid } from '../domain/errors.ts'

/**
 * Max segments of a path that is checked for dot segments. No route has more segments, so longer paths are
 * not found.
 */
const SEGMENTS_MAX = 16
const HOST_MAX = 255

const hostName = /^[a-z0-9_](?:[a-z0-9_-]*[a-z0-9_])?(?:[.][a-z0-9_](?:[a-z0-9_-]*[a-z0-9_])?)*[.]?$/i

const names = Array.from({ length: SEGMENTS_MAX }, (_, index) => `segment${index}`)
const patternOf = (count: number): string =>
  `/${names
    .slice(0, count)
    .map(name => `:${name}`)
    .join('/')}`

/**
 * Patterns of every path, for the router of Bun.serve. That router matches the path as the client sent it,
 * while `request.url` already has its dot segments resolved.
 */
export const rawPathPatterns: string[] = [
  '/',
  ...names.flatMap((_, index) => [patternOf(index + 1), `${patternOf(index + 1)}/`]),
]

/** True if a Host header is a host name or an IP address, with an optional port. */
function isHost(header: string): boolean {
  const [, host = '', port = ''] = /^(\[[^\]]*\]|[^:]*)(?::([0-9]{0,5}))?$/.exec(header) ?? []
  const isName = host.startsWith('[') ? isIPv6(host.slice(1, -1)) : hostName.test(host)
  return isName && header.length <= HOST_MAX && Number(port) <= 65_535 && URL.canParse(`http://${header}`)
}

/**
 * The host of the last request. It is kept because clients repeat it, and checking it takes longer than all
 * other checks.
 */
let lastHost: string | null = null

function checkHost(host: string | null): void {
  if (host === null || host === lastHost) return
  if (!isHost(host)) throw invalid('', 'must have a Host header with a valid host')
  lastHost = host
}

/** True for a path that may match no pattern: one with empty segments, or a very long one. */
function mayMatchNoPattern(target: string): boolean {
  const { pathname } = new URL(target)
  return pathname.includes('//') || pathname.split('/').length > SEGMENTS_MAX
}

/**
 * True for a segment that changes the path. The URL parser reads a backslash as a slash, and ends the path at
 * a "#".
 */
const isDotSegment = (segment: string): boolean =>
  segment === '.' || segment === '..' || /[\\#]/.test(segment)

const dotSegments = () => invalid('', 'must not have dot segments or backslashes in its path')

/** The segments of a path as sent, decoded; null if no pattern matched. */
export type Segments = Readonly<Record<string, string>> | null

/**
 * Min characters before the path of a URL. Elysia looks for the path behind them, so it misreads URLs with
 * very short hosts.
 */
const ORIGIN_LEAST = 'http://host'.length

/**
 * Refuses a Host header that is not a host, and a path with dot segments. Such a path leads to another route
 * than its segments say, so it would bypass a proxy that filters by path. HTTP/1.0 allows requests without a
 * Host header; for these, and for very short hosts, a default host is used.
 */
export function checkTarget(request: Request, segments: Segments, scheme: 'http' | 'https'): Request {
  const host = request.headers.get('host')
  checkHost(host)
  const dotted = segments !== null && Object.values(segments).some(isDotSegment)
  const origin = `${scheme}://localhost`
  const target = host === null ? `${origin}${request.url}` : request.url
  if (!target.startsWith(`${scheme}://`)) throw invalid('', 'must have a target that begins with a slash')
  if (dotted || (segments === null && !mayMatchNoPattern(target))) throw dotSegments()
  const path = target.indexOf('/', scheme.length + 3)
  if (path < ORIGIN_LEAST) return new Request(`${origin}${target.slice(path)}`, request)
  return host === null ? new Request(target, request) : request
}
