import { readFileSync } from 'node:fs'
import type { Asset, WalletNetwork } from '../domain/asset.ts'
import {
  addressOf,
  deriveOf,
  privateKeyWarningFor,
  readAccountKey,
  sourceKinds,
  takesSource,
} from '../networks/address-sources.ts'
import { canonicalAddress, isAddress } from '../networks/addresses/index.ts'
import { assets as knownAssets } from '../networks/assets.ts'
import { readAssetsFile } from '../networks/assets-file.ts'
import { bitcoinNetwork } from '../networks/bitcoin/network.ts'
import { evmNetwork } from '../networks/evm/network.ts'
import { viewKeyError } from '../networks/keys/monero.ts'
import { moneroNetwork } from '../networks/monero/network.ts'
import { paymentUri } from '../networks/payment-uri.ts'
import type { Network, Networks, WatcherOptions } from '../networks/port.ts'
import { recipeOf } from '../networks/recovery.ts'
import { solanaNetwork } from '../networks/solana/network.ts'
import { tronNetwork } from '../networks/tron/network.ts'
import { SettingsError } from '../settings/read.ts'
import type { SettingKey, Settings } from '../settings/table.ts'
import type { Platform } from './platform.ts'

/** Which setting names the endpoints of a chain. */
export const endpointSettings = {
  ethereum: 'ethereumUrl',
  polygon: 'polygonUrl',
  base: 'baseUrl',
  bsc: 'bscUrl',
  arbitrum: 'arbitrumUrl',
  optimism: 'optimismUrl',
  btc: 'bitcoinUrl',
  ltc: 'litecoinUrl',
  doge: 'dogecoinUrl',
  bitcoincash: 'bitcoincashUrl',
  zec: 'zcashUrl',
  trc20: 'tronUrl',
  solana: 'solanaUrl',
  xmr: 'moneroUrl',
} as const satisfies Record<string, SettingKey>

/** Who watches the chains of a network. */
const watchers: Record<WalletNetwork, (options: WatcherOptions) => Network> = {
  evm: options => evmNetwork({ ...options, endpoints: options.endpoints.map(({ url }) => url) }),
  btc: bitcoinNetwork,
  ltc: bitcoinNetwork,
  doge: bitcoinNetwork,
  bitcoincash: bitcoinNetwork,
  zec: bitcoinNetwork,
  trc20: tronNetwork,
  solana: solanaNetwork,
  xmr: moneroNetwork,
}

function readAssets(file: string): readonly Asset[] {
  if (file === '') return knownAssets
  try {
    return readAssetsFile(readFileSync(file, 'utf8'), [...knownAssets])
  } catch (error) {
    throw new SettingsError(`FLORIN_ASSETS_FILE: ${error instanceof Error ? error.message : String(error)}`)
  }
}

/** It stands for as many as are asked for. */
const STAND_IN_VOICES = 2

/** What takes the place of every chain. */
interface StandIn {
  network(chain: string): Network
  sourceKinds: Networks['sourceKinds']
  address: Networks['address']
}

/** The watchers of the chains that have endpoints; or a stand-in for every chain. */
export function networksOf(
  settings: Settings,
  platform: Platform,
  clock: () => number,
  standIn: StandIn | null,
): Networks {
  const assets = readAssets(settings.assetsFile)
  const chains = new Map<string, Network>()
  const voices = new Map<string, number>()
  for (const [chain, own] of Map.groupBy(assets, asset => asset.chain)) {
    const setting = endpointSettings[chain as keyof typeof endpointSettings]
    const endpoints = setting ? settings[setting] : []
    const watcher = watchers[own[0]!.network]
    voices.set(chain, standIn ? STAND_IN_VOICES : new Set(endpoints.map(({ url }) => url)).size)
    if (standIn) chains.set(chain, standIn.network(chain))
    else if (endpoints.length > 0) {
      chains.set(chain, watcher({ chain, assets: own, endpoints, fetch: platform.fetch, clock }))
    }
  }
  const byId = new Map(assets.map(asset => [asset.id, asset]))
  const payoutTraps = new Set(
    assets.flatMap(({ network, contract }) => (contract ? [`${network} ${contract.toLowerCase()}`] : [])),
  )
  return {
    assets,
    asset: id => byId.get(id),
    endpointCount: chain => voices.get(chain) ?? 0,
    of: chain => chains.get(chain),
    // Money that is paid out to a token's own contract is lost.
    isAddress: (network, address) =>
      isAddress(network, address) && !payoutTraps.has(`${network} ${address.toLowerCase()}`),
    canonical: canonicalAddress,
    acceptsSource: takesSource,
    sourceKinds: standIn ? standIn.sourceKinds : sourceKinds,
    address: standIn ? standIn.address : addressOf,
    derive: deriveOf,
    readAccountKey,
    privateKeyWarning: privateKeyWarningFor,
    viewKeyError,
    recipe: recipeOf,
    uri: paymentUri,
  }
}
