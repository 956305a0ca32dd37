import type { PasskeyPlace } from './port.ts'

const isAddress = (host: string): boolean => host.startsWith('[') || /^[\d.]+$/.test(host)

/**
 * Where passkeys of a dashboard count. Browsers make none for a bare address, nor over HTTP except on this
 * machine: null then.
 */
export function passkeyPlace(dashboardUrl: string): PasskeyPlace | null {
  const { origin, hostname, protocol } = new URL(dashboardUrl)
  if (isAddress(hostname)) return null
  const isLocal = hostname === 'localhost' || hostname.endsWith('.localhost')
  return protocol === 'https:' || isLocal ? { origin, host: hostname } : null
}
