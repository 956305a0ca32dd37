import ipaddr from 'ipaddr.js'
import { Refusal } from '../domain/errors.ts'
import { requestState } from './request-state.ts'

const MINUTE_MS = 60_000
/** More clients than these are not remembered at once; the longest unseen are forgotten first. */
const CLIENTS_MAX = 100_000
/** One household has as many IPv6 addresses as it likes. */
const IPV6_PREFIX = 8

type Range = ReturnType<typeof ipaddr.parseCIDR>

const parse = (address: string) => ipaddr.process(address.replace(/^\[|\]$|%.*$/g, ''))

const rangeOf = (text: string): Range => {
  if (text.includes('/')) return ipaddr.parseCIDR(text)
  const address = parse(text)
  return [address, address.kind() === 'ipv4' ? 32 : 128]
}

/** The client's own address: the last of those that no trusted proxy vouches for. */
function clientAddress(request: Request, trusted: Range[]): string {
  const told = (request.headers.get('x-forwarded-for') ?? '').split(',').map(part => part.trim())
  let address = requestState(request).peer ?? ''
  while (ipaddr.isValid(address) && isTrusted(address, trusted)) {
    const before = told.pop()
    if (before === undefined || !ipaddr.isValid(before)) break
    address = before
  }
  return address
}

function isTrusted(address: string, trusted: Range[]): boolean {
  const parsed = parse(address)
  return trusted.some(range => range[0].kind() === parsed.kind() && parsed.match(range))
}

function keyOf(address: string): string {
  if (!ipaddr.isValid(address)) return ''
  const parsed = parse(address)
  return parsed.kind() === 'ipv4' ? parsed.toString() : parsed.toByteArray().slice(0, IPV6_PREFIX).join('.')
}

export type RateLimit = (request: Request) => void

/**
 * Refuses a client's requests above so many a minute; 0 is no limit. `now` is the real clock, in
 * milliseconds.
 * A client may send a minute's worth at once, and then one as each of them is won back.
 */
export function makeRateLimit(perMinute: number, proxies: string[], now: () => number): RateLimit {
  if (perMinute === 0) return () => {}
  const trusted = proxies.map(rangeOf)
  const costMs = MINUTE_MS / perMinute
  const spentUntil = new Map<string, number>()
  return request => {
    const at = now()
    const key = keyOf(clientAddress(request, trusted))
    const until = Math.max(at, spentUntil.get(key) ?? 0)
    const waitMs = until + costMs - at - MINUTE_MS
    if (waitMs > 0) throw new Refusal('rate_limited', undefined, undefined, Math.ceil(waitMs / 1000))
    spentUntil.delete(key)
    spentUntil.set(key, until + costMs)
    if (spentUntil.size > CLIENTS_MAX) spentUntil.delete(spentUntil.keys().next().value ?? '')
  }
}
