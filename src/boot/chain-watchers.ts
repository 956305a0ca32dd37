import type { Registry } from '../coins/registry.ts'
import type { Family } from '../coins/types.ts'
import type { Asset } from '../domain/asset.ts'
import type { UsedEndpoint } from '../domain/endpoint.ts'
import { asserted } from '../domain/errors.ts'
import { faultOf } from '../domain/upstream-fault.ts'
import type { EndpointHealth, Fetch, Network, NetworkOptions } from '../networks/port.ts'
import { unknownHealth } from '../networks/rpc/failover.ts'
import { endpointSettingsOf } from '../settings/endpoints.ts'
import type { Endpoint } from '../settings/parsers.ts'
import type { Settings } from '../settings/table.ts'
import { guardedFetch } from './outside-storage.ts'
import { fetchOf, type Platform } from './platform.ts'

type Watcher = (options: NetworkOptions) => Network
type Bitcoin = typeof import('../networks/bitcoin/network.ts').bitcoinNetwork
type Evm = typeof import('../networks/evm/network.ts').evmNetwork
type Tron = typeof import('../networks/tron/network.ts').tronNetwork
type Solana = typeof import('../networks/solana/network.ts').solanaNetwork
type Monero = typeof import('../networks/monero/network.ts').moneroNetwork

/** Watchers by family of chains, loaded with the first endpoint: most servers use few families. */
const watchers: Record<Family, () => Watcher> = {
  bitcoin: () => require('../networks/bitcoin/network.ts').bitcoinNetwork as Bitcoin,
  evm: () => {
    const evmNetwork: Evm = require('../networks/evm/network.ts').evmNetwork
    return options => evmNetwork({ ...options, endpoints: options.endpoints.map(({ url }) => url) })
  },
  tron: () => require('../networks/tron/network.ts').tronNetwork as Tron,
  solana: () => require('../networks/solana/network.ts').solanaNetwork as Solana,
  monero: () => require('../networks/monero/network.ts').moneroNetwork as Monero,
}

interface ChainWatcher {
  network: Network
  /** the endpoints with which the watcher was made */
  endpoints: string
}

/**
 * The watchers of all chains with endpoints. A watcher is replaced only when its chain's endpoints change.
 */
export class ChainWatchers {
  readonly #chains = new Map<string, ChainWatcher>()
  /**
   * health by chain and URL, then by use: one use of an endpoint may fail while another works, since TRON's
   * coin needs more of an endpoint than its tokens
   */
  readonly #health = new Map<string, Map<string, EndpointHealth>>()
  #guarded: Fetch | null = null

  constructor(
    private readonly assets: readonly Asset[],
    private readonly platform: Platform,
    private readonly clock: () => number,
    private readonly coins: Registry,
  ) {}

  of(chain: string): Network | undefined {
    return this.#chains.get(chain)?.network
  }

  use(settings: Settings): void {
    const keys = endpointSettingsOf(this.coins)
    for (const [chain, assets] of Map.groupBy(this.assets, asset => asset.chain)) {
      const key = keys[chain]
      const endpoints = key ? settings[key] : []
      const text = JSON.stringify(endpoints)
      if (endpoints.length === 0) this.#chains.delete(chain)
      else if (this.#chains.get(chain)?.endpoints !== text) {
        const network = this.#watch(chain, assets, endpoints, settings)
        this.#chains.set(chain, { network, endpoints: text })
      }
    }
  }

  #watch(chain: string, assets: Asset[], endpoints: readonly Endpoint[], settings: Settings): Network {
    const headers = new Map(
      endpoints.flatMap(({ url, chosen }) =>
        chosen?.header ? [[url, { [chosen.header.name]: chosen.header.value }]] : [],
      ),
    )
    const isChosen = endpoints.some(({ chosen }) => chosen !== undefined)
    const platform = isChosen ? { ...this.platform, fetch: this.#guardedFetch(settings) } : this.platform
    return watchers[this.coins.family(asserted(assets[0], 'a chain has assets').network)]()({
      chain,
      assets,
      endpoints,
      fetch: fetchOf(platform, chain),
      clock: this.clock,
      headersOf: url => headers.get(url) ?? {},
      healthOf: (url, use = '') => this.#healthOf(`${chain} ${url}`, use),
    })
  }

  /** Returns when an endpoint of a chain last worked, and the problem of its last use. */
  healthOf(chain: string, url: string): Omit<UsedEndpoint, 'url'> {
    const all = [...(this.#health.get(`${chain} ${url}`)?.values() ?? [])]
    const worked = all.flatMap(({ workedAt }) => workedAt ?? [])
    const lastError = all.find(one => one.lastError)?.lastError ?? null
    return {
      workedAt: worked.length > 0 ? Math.max(...worked) : null,
      problem: lastError?.message ?? null,
      fault: faultOf(lastError),
    }
  }

  #healthOf(key: string, use: string): EndpointHealth {
    const uses = this.#health.get(key) ?? new Map<string, EndpointHealth>()
    this.#health.set(key, uses)
    const known = uses.get(use) ?? unknownHealth()
    uses.set(use, known)
    return known
  }

  /** Endpoints chosen in the dashboard must not reach the server's own network. */
  #guardedFetch(settings: Settings): Fetch {
    this.#guarded ??= guardedFetch(settings, this.platform, 'endpoint')
    return this.#guarded
  }
}
