import { readFileSync } from 'node:fs'
import { type Registry, registry } from '../coins/registry.ts'
import type { Asset } from '../domain/asset.ts'
import { asserted } from '../domain/errors.ts'
import { LIGHTNING } from '../domain/lightning.ts'
import { makeAddressSources, recipeOf } from '../networks/address-sources.ts'
import { makeAddresses } from '../networks/addresses/index.ts'
import { makeUnspendable } from '../networks/addresses/unspendable.ts'
import { readAssetsFile } from '../networks/assets-file.ts'
import { viewKeyFault } from '../networks/keys/monero.ts'
import { makePaymentUri } from '../networks/payment-uri.ts'
import type { AddressRequest, FindSecret, Network, Networks } from '../networks/port.ts'
import { endpointSettingsOf } from '../settings/endpoints.ts'
import { SettingsError } from '../settings/read.ts'
import type { Settings } from '../settings/table.ts'
import { ChainWatchers } from './chain-watchers.ts'
import { guardedFetch, guardedSockets } from './outside-storage.ts'
import { fetchOf, type Platform } from './platform.ts'

function readAssets(file: string, coins: Registry): readonly Asset[] {
  if (file === '') return coins.assets
  try {
    return readAssetsFile(readFileSync(file, 'utf8'), coins)
  } catch (error) {
    throw new SettingsError(`FLORIN_ASSETS_FILE: ${error instanceof Error ? error.message : String(error)}`)
  }
}

/**
 * The highest number of endpoints that any payment requires. Simulated chains count as having this many, and
 * so does Lightning, because the payment of an invoice has a proof.
 */
const ENDPOINTS_MAX = 2

/** The simulation that replaces every chain in the sandbox. */
interface StandIn {
  network(chain: string): Network
  sourceKinds: Networks['sourceKinds']
  address: Networks['address']
}

/**
 * In the sandbox, simulates the addresses of networks with a payout wallet. Without a payout wallet, the
 * merchant's own sources work as usual.
 */
const replaceSources = (sources: Pick<Networks, 'sourceKinds' | 'address'>, standIn: StandIn) => ({
  sourceKinds: (asset: Asset, payoutAddress: string | null) =>
    payoutAddress === null || asset.chain === LIGHTNING
      ? sources.sourceKinds(asset, null)
      : standIn.sourceKinds(asset, payoutAddress),
  address: (request: AddressRequest) =>
    request.kind === 'sandbox' ? standIn.address(request) : sources.address(request),
})

/** The URLs of endpoints that can find payments in an asset. */
function endpointsFor(settings: Settings, coins: Registry, { chain, contract }: Asset): Set<string> {
  const key = endpointSettingsOf(coins)[chain]
  const protocols = contract === null ? coins.chain(chain)?.endpoints.coinProtocols : undefined
  const endpoints = (key ? settings[key] : []).filter(one => protocols?.includes(one.protocol) ?? true)
  return new Set(endpoints.map(({ url }) => url))
}

type LightningNetwork = typeof import('../networks/lightning/network.ts').lightningNetwork

/** Max nodes with a certificate of their own whose connections are kept. */
const CERTIFICATES_MAX = 100

/** Finds no secrets, for networks that are only tried: nothing is stored for them. */
const noSecrets: FindSecret = async () => null

/** The prefix of invoices on Bitcoin's main chain, after `ln`. */
const MAIN_CHAIN = 'bc'

/**
 * Loads the Lightning network with the first shop that uses it. Merchants name its servers, so requests to
 * them are guarded.
 */
function lightningOf(
  settings: Settings,
  platform: Platform,
  clock: () => number,
  findSecret: FindSecret,
): () => Network {
  let network: Network | null = null
  const outsideOf = (ca: string | undefined) => {
    const own = ca === undefined ? platform : { ...platform, ca }
    const fetch = fetchOf({ ...platform, fetch: guardedFetch(settings, own, LIGHTNING) }, LIGHTNING)
    return { fetch, openSocket: guardedSockets(settings, own, LIGHTNING) }
  }
  return () => {
    if (network) return network
    const lightningNetwork: LightningNetwork = require('../networks/lightning/network.ts').lightningNetwork
    const { asset } = asserted(registry.invoices(LIGHTNING), 'the registry knows Lightning')
    const known = new Map<string, ReturnType<typeof outsideOf>>()
    const outside = (certificate: string | null) => {
      const found = known.get(certificate ?? '') ?? outsideOf(certificate ?? undefined)
      if (known.size > CERTIFICATES_MAX) known.clear()
      known.set(certificate ?? '', found)
      return found
    }
    network = lightningNetwork({ asset, outside, findSecret, clock, prefix: MAIN_CHAIN })
    return network
  }
}

interface LiveNetworks {
  networks: Networks
  /** Uses the endpoints of these settings from now on. Running requests finish with the former ones. */
  use(settings: Settings): void
  /** Returns when an endpoint of a chain last worked, and the problem of its last use. */
  healthOf: ChainWatchers['healthOf']
}

/** The watchers of chains with endpoints, or a stand-in for all chains. */
export function liveNetworks(
  settings: Settings,
  platform: Platform,
  clock: () => number,
  standIn: StandIn | null,
  { coins = registry, findSecret = noSecrets }: { coins?: Registry; findSecret?: FindSecret } = {},
): LiveNetworks {
  const assets = readAssets(settings.assetsFile, coins)
  let current = settings
  const chains = new ChainWatchers(assets, platform, clock, coins)
  if (!standIn) chains.use(settings)
  const standIns = new Map(standIn ? assets.map(({ chain }) => [chain, standIn.network(chain)]) : [])
  const lightning = lightningOf(settings, platform, clock, findSecret)
  const byId = new Map(assets.map(asset => [asset.id, asset]))
  const addresses = makeAddresses(coins)
  const sources = makeAddressSources(coins, addresses)
  const unspendable = makeUnspendable(coins)
  const tokenContracts = new Set(
    assets.flatMap(({ network, contract }) => (contract ? [`${network} ${contract.toLowerCase()}`] : [])),
  )
  const networks: Networks = {
    assets,
    asset: id => byId.get(id),
    endpointCount: asset =>
      standIn || asset.chain === LIGHTNING ? ENDPOINTS_MAX : endpointsFor(current, coins, asset).size,
    of: standIn
      ? chain => standIns.get(chain)
      : chain => (chain === LIGHTNING ? lightning() : chains.of(chain)),
    isAddress: addresses.isAddress,
    unspendable: (network, address) =>
      tokenContracts.has(`${network} ${address.toLowerCase()}`)
        ? { kind: 'tokenContract' }
        : unspendable(network, address),
    canonical: addresses.canonicalAddress,
    ...sources,
    ...(standIn && replaceSources(sources, standIn)),
    viewKeyFault,
    recipe: recipeOf,
    uri: makePaymentUri(coins),
  }
  return {
    networks,
    use(changed) {
      current = changed
      if (!standIn) chains.use(changed)
    },
    healthOf: (chain, url) => chains.healthOf(chain, url),
  }
}

/** Networks of settings that do not change. */
export const networksOf = (...given: Parameters<typeof liveNetworks>): Networks =>
  liveNetworks(...given).networks
