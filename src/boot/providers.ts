import { readFileSync } from 'node:fs'
import { gateway } from '../providers/paygate/paygate.ts'
import type { Provider, Providers } from '../providers/port.ts'
import { SettingsError } from '../settings/read.ts'
import type { Settings } from '../settings/table.ts'
import type { Platform } from './platform.ts'

const TIMEOUT_MS = 20_000

/** A stand-in for the gateway: where it is, and the key that it signs with. */
interface GatewayStandIn {
  apiUrl: string
  checkoutUrl: string
  feeWallet: string
  publicKey(): Promise<string>
}

function readKeys(items: string[]): Map<string, string> {
  return new Map(
    items.map(item => {
      const [id = '', file = ''] = item.split('=')
      try {
        return [id, readFileSync(file, 'utf8')]
      } catch {
        throw new SettingsError(`FLORIN_GATEWAY_PUBLIC_KEYS: ${item} must be ID=FILE, and the file readable`)
      }
    }),
  )
}

const none: Providers = { all: [], find: () => undefined }
const only = (provider: Provider): Providers => ({
  all: [provider],
  find: id => (id === provider.id ? provider : undefined),
})

export function providersOf(
  settings: Settings,
  { fetch }: Platform,
  standIn: GatewayStandIn | null,
): Providers {
  const shared = { fetch, timeoutMs: TIMEOUT_MS }
  if (standIn) return only(gateway({ ...standIn, ...shared, publicKeys: standIn.publicKey }))
  if (settings.gatewayUrl === '') return none
  const keys = readKeys(settings.gatewayPublicKeys)
  return only(
    gateway({
      ...shared,
      apiUrl: settings.gatewayUrl,
      checkoutUrl: settings.gatewayCheckoutUrl,
      feeWallet: settings.feeWallet || null,
      publicKeys: async id => keys.get(id) ?? null,
    }),
  )
}
