import { isIP } from 'node:net'
import ipaddr from 'ipaddr.js'

/** All that is assigned for the public internet; of the rest, some forms embed an IPv4 address. */
const globalUnicast = ipaddr.IPv6.parseCIDR('2000::/3')

/** Inside of a cloud this public address is its host, which hands out configuration. */
const cloudHosts = new Set(['168.63.129.16'])

/** Whether an address, spelled as the system's look-up spells it, belongs to the public internet. */
export function isPublic(address: string): boolean {
  const isZoned = address.includes('%')
  if (isIP(address) === 0 || isZoned || cloudHosts.has(address)) return false
  const parsed = ipaddr.parse(address)
  if (parsed.range() !== 'unicast') return false
  return parsed instanceof ipaddr.IPv4 || parsed.match(globalUnicast)
}
