import ipaddr from 'ipaddr.js'
import { requestState } from './request-state.ts'

type Range = ReturnType<typeof ipaddr.parseCIDR>

const parse = (address: string) => ipaddr.process(address.replace(/^\[|\]$|%.*$/g, ''))

const rangeOf = (range: string): Range => {
  if (range.includes('/')) return ipaddr.parseCIDR(range)
  const address = parse(range)
  return [address, address.kind() === 'ipv4' ? 32 : 128]
}

/**
 * The network of a person's address, in one spelling: a /24 range of IPv4, or a /48 range of IPv6. Empty if
 * the address is unknown.
 */
export function networkOf(address: string): string {
  if (!ipaddr.isValid(address)) return ''
  const parsed = parse(address)
  if (!(parsed instanceof ipaddr.IPv6)) return parsed.toByteArray().slice(0, 3).join('.')
  return parsed.parts
    .slice(0, 3)
    .map(part => part.toString(16))
    .join(':')
}

/** Removes the port from an entry of X-Forwarded-For: "203.0.113.7:1234" or "[2001:db8::1]:1234". */
const withoutPort = (entry: string): string =>
  /^\[([^\]]+)\](?::[0-9]{1,5})?$/.exec(entry)?.[1] ?? entry.replace(/^([0-9.]+):[0-9]{1,5}$/, '$1')

/** The client's address: the last address in the chain of proxies that is not a trusted proxy. */
function clientAddress(request: Request, trusted: Range[]): string {
  const forwarded = (request.headers.get('x-forwarded-for') ?? '')
    .split(',')
    .map(part => withoutPort(part.trim()))
  let address = requestState(request).peer() ?? ''
  while (ipaddr.isValid(address) && isTrusted(address, trusted)) {
    const previous = forwarded.pop()
    if (previous === undefined || !ipaddr.isValid(previous)) break
    address = previous
  }
  return address
}

function isTrusted(address: string, trusted: Range[]): boolean {
  const parsed = parse(address)
  return trusted.some(range => range[0].kind() === parsed.kind() && parsed.match(range))
}

/**
 * Returns a function that finds the client's address of a request, for a server behind these proxies. Every
 * address is normalized to one spelling; it is empty if unknown.
 */
export const clientAddresses = (proxies: string[]): ((request: Request) => string) => {
  const trusted = proxies.map(rangeOf)
  return request => {
    const address = clientAddress(request, trusted)
    return ipaddr.isValid(address) ? parse(address).toString() : ''
  }
}
