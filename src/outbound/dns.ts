import { promises as dns } from 'node:dns'
import { isIP } from 'node:net'

/** All addresses of a name. Rejects, or answers none, where the name is not found. */
export type Lookup = (host: string) => Promise<readonly { address: string }[]>

export const systemLookup: Lookup = host => dns.lookup(host, { all: true, verbatim: true })

/**
 * The addresses of a host; an address is its own. None where the host is unknown, or the signal came first.
 * Never throws.
 */
export async function addressesOf(host: string, lookup: Lookup, signal: AbortSignal): Promise<string[]> {
  if (isIP(host) !== 0) return [host]
  const outOfTime = new Promise<never[]>(resolve => {
    signal.addEventListener('abort', () => resolve([]), { once: true })
  })
  try {
    const found = await Promise.race([lookup(host), outOfTime])
    return found.map(({ address }) => address)
  } catch {
    return []
  }
}
