import ipaddr from 'ipaddr.js'
import { Refusal } from '../domain/errors.ts'
import { clientAddresses } from './client-address.ts'
import { requestState } from './request-state.ts'

const MINUTE_MS = 60_000
/** Max remembered senders. The sender that has been idle longest is forgotten first. */
const SENDERS_MAX = 100_000
/** Bytes of an IPv6 address that identify a household, which usually has a whole /64 network. */
const IPV6_PREFIX = 8
/**
 * Bytes of an IPv6 address that identify a site. A site can get a /48, which contains 65,536 networks of
 * households: together these get ten times the limit.
 */
const IPV6_SITE_PREFIX = 6
const SITE_TIMES = 10

/** A sender of requests, and its multiple of the limit. */
interface Sender {
  key: string
  times: number
}

function clientsAt(address: string): Sender[] {
  if (!ipaddr.isValid(address)) return [{ key: '', times: 1 }]
  const parsed = ipaddr.process(address)
  if (parsed.kind() === 'ipv4') return [{ key: parsed.toString(), times: 1 }]
  const bytes = parsed.toByteArray()
  return [
    { key: bytes.slice(0, IPV6_PREFIX).join('.'), times: 1 },
    { key: bytes.slice(0, IPV6_SITE_PREFIX).join('.'), times: SITE_TIMES },
  ]
}

/** Refuses the request of a sender that sent too many requests. A request may count as several. */
export type RateLimit = (request: Request, cost?: number) => void

export interface RateLimits {
  /** address of a request's sender behind the trusted proxies; empty if unknown */
  addressOf(request: Request): string
  /** limit for public routes of the API, and for orders from a product's page */
  requests: RateLimit
  /** limit for payments that buyers open, because each takes an address, or a page of a provider */
  openings: RateLimit
  /** limit for people who sign in to the dashboard, or use a link */
  signIns: RateLimit
  /** limit of each API key; called after the key was verified */
  keys: RateLimit
}

const OPENINGS_PER_MINUTE = 20
const SIGN_INS_PER_MINUTE = 10

/** The real clock in milliseconds, and the number of servers that share the requests. */
interface Surroundings {
  now: () => number
  servers: () => number
}

/** The part of a limit that a sender has used up, in milliseconds: 60,000 means all of it. */
interface Use {
  /** milliseconds that have yet to pass until nothing is used */
  usedMs: number
  /** milliseconds that one request adds */
  perRequestMs: number
}

/** Sets the headers that say how many more requests a client may send. */
function announce(request: Request, limit: number, uses: readonly Use[]): void {
  const { headers } = requestState(request)
  // A little is added, because divisions may have lost that much of a whole request.
  const left = uses.map(({ usedMs, perRequestMs }) => (MINUTE_MS - usedMs) / perRequestMs + 1e-6)
  headers['ratelimit-limit'] = String(limit)
  headers['ratelimit-remaining'] = String(Math.floor(Math.min(...left)))
  headers['ratelimit-reset'] = String(Math.ceil(Math.max(...uses.map(({ usedMs }) => usedMs)) / 1000))
}

/**
 * Returns a limit that refuses the requests of a sender above a number per minute; 0 means no limit. A sender
 * may send that number at once, and then regains one request at a time. Each of several servers has its
 * share, rounded up. A limit of the API also sets the headers that say how much is left.
 */
function limitEach(
  perMinute: number,
  sendersOf: (request: Request) => Sender[],
  { now, servers }: Surroundings,
  isOfApi = false,
): RateLimit {
  if (perMinute === 0) return () => {}
  const usedUntil = new Map<string, number>()
  return (request, cost = 1) => {
    const at = now()
    const share = Math.ceil(perMinute / servers())
    const used = sendersOf(request).map(({ key, times }) => {
      const known = usedUntil.get(key) ?? 0
      // Only a clock that was ahead can have used up more than a minute.
      const from = known > at + MINUTE_MS ? at : Math.max(at, known)
      const perRequestMs = MINUTE_MS / (share * times)
      return { key, from, perRequestMs, until: from + cost * perRequestMs }
    })
    const waitMs = Math.max(...used.map(({ until }) => until - at - MINUTE_MS))
    if (isOfApi) {
      const uses = used.map(({ from, until, perRequestMs }) => ({
        usedMs: (waitMs > 0 ? from : until) - at,
        perRequestMs,
      }))
      announce(request, share, uses)
    }
    if (waitMs > 0)
      throw new Refusal('rate_limited', undefined, { retryAfterSeconds: Math.ceil(waitMs / 1000) })
    for (const { key, until } of used) {
      usedUntil.delete(key)
      usedUntil.set(key, until)
    }
    while (usedUntil.size > SENDERS_MAX) usedUntil.delete(usedUntil.keys().next().value ?? '')
  }
}

/**
 * The limits of a server. Limits of public routes count clients: an IPv4 address, or a /64 network of IPv6.
 * The networks of one /48 also share a limit. If requests have no limit, openings and sign-ins have no limit
 * either.
 */
export function makeRateLimits(
  perMinute: number,
  proxies: string[],
  now: () => number,
  perKey = 0,
  servers: () => number = () => 1,
): RateLimits {
  const around = { now, servers }
  const addressOf = clientAddresses(proxies)
  const clientOf = (request: Request) => clientsAt(addressOf(request))
  const keyOf = (request: Request) => [{ key: requestState(request).keyId ?? '', times: 1 }]
  return {
    addressOf,
    requests: limitEach(perMinute, clientOf, around, true),
    openings: limitEach(perMinute === 0 ? 0 : OPENINGS_PER_MINUTE, clientOf, around),
    signIns: limitEach(perMinute === 0 ? 0 : SIGN_INS_PER_MINUTE, clientOf, around),
    keys: limitEach(perKey, keyOf, around, true),
  }
}
