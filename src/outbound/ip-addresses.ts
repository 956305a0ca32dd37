import { isIP } from 'node:net'
import ipaddr from 'ipaddr.js'

/** The public range of IPv6. Some addresses outside it embed an IPv4 address. */
const globalUnicast = ipaddr.IPv6.parseCIDR('2000::/3')

/** Public addresses that, inside a cloud, reach the host and its configuration service. */
const cloudHosts = new Set(['168.63.129.16'])

/** True if an address, as the system resolver writes it, belongs to the public internet. */
export function isPublic(address: string): boolean {
  const isZoned = address.includes('%')
  if (isIP(address) === 0 || isZoned || cloudHosts.has(address)) return false
  const parsed = ipaddr.parse(address)
  if (parsed.range() !== 'unicast') return false
  return parsed instanceof ipaddr.IPv4 || parsed.match(globalUnicast)
}
