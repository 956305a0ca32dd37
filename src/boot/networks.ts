import { readFileSync } from 'node:fs'
import { type Registry, registry } from '../coins/registry.ts'
import type { Family } from '../coins/types.ts'
import type { Asset } from '../domain/asset.ts'
import { makeAddressSources } from '../networks/address-sources.ts'
import { makeAddresses } from '../networks/addresses/index.ts'
import { makeUnspendable } from '../networks/addresses/unspendable.ts'
import { readAssetsFile } from '../networks/assets-file.ts'
import { bitcoinNetwork } from '../networks/bitcoin/network.ts'
import { evmNetwork } from '../networks/evm/network.ts'
import { viewKeyError } from '../networks/keys/monero.ts'
import { moneroNetwork } from '../networks/monero/network.ts'
import { makePaymentUri } from '../networks/payment-uri.ts'
import type { AddressRequest, Network, NetworkOptions, Networks } from '../networks/port.ts'
import { recipeOf } from '../networks/recovery.ts'
import { solanaNetwork } from '../networks/solana/network.ts'
import { tronNetwork } from '../networks/tron/network.ts'
import { type EndpointKey, endpointKeyOf, inSettingsOrder } from '../settings/endpoints.ts'
import { SettingsError } from '../settings/read.ts'
import type { Settings } from '../settings/table.ts'
import { fetchOf, type Platform } from './platform.ts'

/** The setting with the endpoints of each chain. */
export const endpointSettingsOf = ({ chains }: Registry): Record<string, EndpointKey> =>
  Object.fromEntries(inSettingsOrder(chains).map(chain => [chain.id, endpointKeyOf(chain)]))

/** Who watches the chains of a family. */
const watchers: Record<Family, (options: NetworkOptions) => Network> = {
  bitcoin: bitcoinNetwork,
  evm: options => evmNetwork({ ...options, endpoints: options.endpoints.map(({ url }) => url) }),
  tron: tronNetwork,
  solana: solanaNetwork,
  monero: moneroNetwork,
}

function readAssets(file: string, coins: Registry): readonly Asset[] {
  if (file === '') return coins.assets
  try {
    return readAssetsFile(readFileSync(file, 'utf8'), coins)
  } catch (error) {
    throw new SettingsError(`FLORIN_ASSETS_FILE: ${error instanceof Error ? error.message : String(error)}`)
  }
}

/** The simulated chains count as two endpoints, the most that are ever required. */
const SIMULATED_ENDPOINTS = 2

/** What replaces every chain in the sandbox. */
interface StandIn {
  network(chain: string): Network
  sourceKinds: Networks['sourceKinds']
  address: Networks['address']
}

/** A payout wallet has simulated addresses. Without one, the merchant's own sources work as everywhere. */
const replaceSources = (sources: Pick<Networks, 'sourceKinds' | 'address'>, standIn: StandIn) => ({
  sourceKinds: (asset: Asset, payoutAddress: string | null) =>
    payoutAddress === null ? sources.sourceKinds(asset, null) : standIn.sourceKinds(asset, payoutAddress),
  address: (request: AddressRequest) =>
    request.kind === 'sandbox' ? standIn.address(request) : sources.address(request),
})

/** The URLs that find payments in an asset. */
function endpointsFor(settings: Settings, coins: Registry, { chain, contract }: Asset): Set<string> {
  const key = endpointSettingsOf(coins)[chain]
  const protocols = contract === null ? coins.chain(chain)?.endpoints.coinProtocols : undefined
  const endpoints = (key ? settings[key] : []).filter(one => protocols?.includes(one.protocol) ?? true)
  return new Set(endpoints.map(({ url }) => url))
}

/** The watchers of the chains that have endpoints, or a stand-in for every chain. */
export function networksOf(
  settings: Settings,
  platform: Platform,
  clock: () => number,
  standIn: StandIn | null,
  coins: Registry = registry,
): Networks {
  const assets = readAssets(settings.assetsFile, coins)
  const settingKeys = endpointSettingsOf(coins)
  const chains = new Map<string, Network>()
  for (const [chain, own] of Map.groupBy(assets, asset => asset.chain)) {
    const key = settingKeys[chain]
    const endpoints = key ? settings[key] : []
    const watcher = watchers[coins.family(own[0]!.network)]
    if (standIn) chains.set(chain, standIn.network(chain))
    else if (endpoints.length > 0) {
      chains.set(chain, watcher({ chain, assets: own, endpoints, fetch: fetchOf(platform, chain), clock }))
    }
  }
  const byId = new Map(assets.map(asset => [asset.id, asset]))
  const addresses = makeAddresses(coins)
  const sources = makeAddressSources(coins, addresses)
  const unspendable = makeUnspendable(coins)
  const tokenContracts = new Set(
    assets.flatMap(({ network, contract }) => (contract ? [`${network} ${contract.toLowerCase()}`] : [])),
  )
  return {
    assets,
    asset: id => byId.get(id),
    endpointCount: asset => (standIn ? SIMULATED_ENDPOINTS : endpointsFor(settings, coins, asset).size),
    of: chain => chains.get(chain),
    isAddress: addresses.isAddress,
    unspendable: (network, address) =>
      tokenContracts.has(`${network} ${address.toLowerCase()}`)
        ? 'is the contract of a token: nobody can move what is sent there'
        : unspendable(network, address),
    canonical: addresses.canonicalAddress,
    ...sources,
    ...(standIn && replaceSources(sources, standIn)),
    viewKeyError,
    recipe: recipeOf,
    uri: makePaymentUri(coins),
  }
}
