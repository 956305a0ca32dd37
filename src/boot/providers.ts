import { assert } from '../domain/errors.ts'
import { payGate } from '../providers/paygate/paygate.ts'
import type { Provider, Providers } from '../providers/port.ts'
import type { Settings } from '../settings/table.ts'
import { gatewayKeysOf } from './gateway-keys.ts'
import { fetchOf, type Platform } from './platform.ts'

const TIMEOUT_MS = 20_000

/** Address and signing key of the sandbox's stand-in for PayGate. */
interface SandboxGateway {
  apiUrl: string
  checkoutUrl: string
  feeWallet: string
  publicKey(): Promise<string>
}

/** Makes a provider from the settings; null if they do not configure it. */
export type ProviderFactory = (
  settings: Settings,
  platform: Platform,
  standIn: SandboxGateway | null,
) => Provider | null

const payGateAdapter: ProviderFactory = (settings, platform, standIn) => {
  const shared = {
    fetch: fetchOf(platform, 'gateway'),
    timeoutMs: TIMEOUT_MS,
    minimumShare: settings.providerMinReceived,
  }
  if (standIn) return payGate({ ...standIn, ...shared, publicKeys: standIn.publicKey })
  const keys = gatewayKeysOf(settings.gatewayPublicKeys)
  if (settings.gatewayUrl === '') return null
  return payGate({
    ...shared,
    apiUrl: settings.gatewayUrl,
    checkoutUrl: settings.gatewayCheckoutUrl,
    feeWallet: settings.feeWallet || null,
    publicKeys: keys && (async id => keys.get(id) ?? null),
  })
}

/** All providers that settings can configure. If method keys collide, the earlier provider wins. */
export const providerFactories: readonly ProviderFactory[] = [payGateAdapter]

export function providersOf(
  settings: Settings,
  platform: Platform,
  standIn: SandboxGateway | null,
  from: readonly ProviderFactory[] = providerFactories,
): Providers {
  const all = from.map(adapter => adapter(settings, platform, standIn)).filter(provider => provider !== null)
  const byId = new Map(all.map(provider => [provider.id, provider]))
  assert(byId.size === all.length, 'each provider has an id of its own')
  return { all, find: id => byId.get(id) }
}
