import http from 'node:http'
import https from 'node:https'
import { isIPv6, type LookupFunction } from 'node:net'
import { Readable } from 'node:stream'
import { Refusal } from '../domain/errors.ts'
import { checkUrl, isAllowed, type ReachableHost } from './destinations.ts'
import { addressesOf, type Lookup } from './dns.ts'
import { isPublic } from './ip-addresses.ts'

interface GuardedFetchOptions {
  allow: readonly ReachableHost[]
  lookup: Lookup
  /** trusted certificates instead of the system's; PEM */
  ca?: string | undefined
  /** throws inside a write, where network calls are forbidden */
  assertOutside(action: string): void
}

type Fetch = (url: string, init?: RequestInit) => Promise<Response>

const LOOKUP_MS = 10_000
const IDLE_MS = 15_000
const SOCKETS_MAX = 16

/** Resolves a name for a new connection. Refuses it if any address is private, unless the host is allowed. */
export const resolving =
  (lookup: Lookup, isAnyAllowed: boolean): LookupFunction =>
  (host, options, answer) => {
    void addressesOf(host, lookup, AbortSignal.timeout(LOOKUP_MS)).then(addresses => {
      const known = addresses.map(address => ({ address, family: isIPv6(address) ? 6 : 4 }))
      const [first] = known
      if (!first) answer(new Error('the name is not known'), '')
      else if (!isAnyAllowed && !addresses.every(isPublic)) answer(new Refusal('destination_not_allowed'), '')
      else if (options.all) answer(null, known)
      else answer(null, first.address, first.family)
    })
  }

const noBody = [101, 204, 205, 304]

function responseOf(message: http.IncomingMessage): Response {
  const status = message.statusCode ?? 0
  const headers = new Headers()
  for (const [name, value] of Object.entries(message.headers))
    if (value !== undefined) headers.set(name, String(value))
  if (noBody.includes(status)) message.resume()
  const body = noBody.includes(status) ? null : (Readable.toWeb(message) as unknown as ReadableStream)
  return new Response(body, { status, headers })
}

/**
 * A `fetch` for URLs that users of the dashboard enter: it reaches only public addresses, unless the settings
 * allow the host, and follows no redirects. Each new connection is checked, whatever DNS answered before.
 */
export function makeGuardedFetch({ allow, lookup, ca, assertOutside }: GuardedFetchOptions): Fetch {
  const pool = { keepAlive: true, maxSockets: SOCKETS_MAX, timeout: IDLE_MS }
  const agents = { http: new http.Agent(pool), https: new https.Agent(pool) }
  return async (text, init = {}) => {
    assertOutside('A network call')
    const url = checkUrl(text, '/url', { allow })
    const isTls = url.protocol === 'https:'
    const { promise, resolve, reject } = Promise.withResolvers<Response>()
    const request = (isTls ? https : http).request(url, {
      method: init.method ?? 'GET',
      headers: init.headers as Record<string, string>,
      agent: isTls ? agents.https : agents.http,
      rejectUnauthorized: true,
      lookup: resolving(lookup, isAllowed(url, allow)),
      ...(init.signal && { signal: init.signal }),
      ...(ca !== undefined && { ca }),
    } as https.RequestOptions)
    request.on('response', message => {
      try {
        resolve(responseOf(message))
      } catch (error) {
        reject(error)
        request.destroy()
      }
    })
    request.on('error', error => reject(init.signal?.aborted ? init.signal.reason : error))
    request.end(init.body as string | undefined)
    return promise
  }
}
