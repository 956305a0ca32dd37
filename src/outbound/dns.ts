import { isIP } from 'node:net'

/** All addresses of a name. Rejects, or returns none, if the name does not exist. */
export type Lookup = (host: string) => Promise<readonly { address: string }[]>

export const systemLookup: Lookup = host =>
  (require('node:dns') as typeof import('node:dns')).promises.lookup(host, { all: true, verbatim: true })

/**
 * Addresses of a host. Returns an IP address as it is. Empty for an unknown host, or if the signal is aborted
 * first. Never throws.
 */
export async function addressesOf(host: string, lookup: Lookup, signal: AbortSignal): Promise<string[]> {
  if (isIP(host) !== 0) return [host]
  const aborted = new Promise<never[]>(resolve => {
    signal.addEventListener('abort', () => resolve([]), { once: true })
  })
  try {
    const found = await Promise.race([lookup(host), aborted])
    return found.map(({ address }) => address)
  } catch {
    return []
  }
}
