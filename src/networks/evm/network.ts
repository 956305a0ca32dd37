import type { Asset } from '../../domain/asset.ts'
import { type Fetch, type Network, NetworkFault, type Watch, type Watched } from '../port.ts'
import { Ledger } from './chain.ts'

export interface EvmOptions {
  /** the part of the assets' ids before the slash: "polygon" */
  chain: string
  /** those of this chain */
  assets: readonly Asset[]
  /** URLs of JSON-RPC endpoints, tried in turn */
  endpoints: readonly string[]
  fetch: Fetch
  /** milliseconds since 1970 UTC */
  clock: () => number
  timeoutMs?: number
  /** a longer answer is not read */
  maxBytes?: number
  /** how many blocks go into one question for logs, to begin with */
  blocksAtOnce?: number
  /** how many addresses go into one question for logs */
  addressesAtOnce?: number
}

const BLOCKS_AT_ONCE = 2000
const ADDRESSES_AT_ONCE = 100

/** An EVM chain by its JSON-RPC nodes: forwarders for addresses, logs and balances for payments. */
export function evmNetwork(options: EvmOptions): Network {
  const { chain, assets, clock, blocksAtOnce = BLOCKS_AT_ONCE } = options
  const { addressesAtOnce = ADDRESSES_AT_ONCE } = options
  const ledgers = new Map(
    [...Map.groupBy(assets, ({ chainId }) => chainId)].flatMap(([chainId, own]) => {
      if (chainId === null) return []
      const ground = { chain, chainId, assets: own, clock, addressesAtOnce }
      return [[chainId, new Ledger(ground, { ...options, chainId }, blocksAtOnce)] as const]
    }),
  )

  function ledgerOf(asset: Asset): Ledger {
    const ledger = asset.chainId === null ? undefined : ledgers.get(asset.chainId)
    const isOurs = asset.chain === chain && assets.some(({ id }) => id === asset.id)
    if (!ledger || !isOurs) throw new NetworkFault(`${asset.id} is no asset of ${chain}`)
    return ledger
  }

  return {
    chain,
    async fault(asset) {
      try {
        return await ledgerOf(asset).fault(asset)
      } catch (error) {
        return error instanceof Error ? error.message : `${chain} cannot be examined`
      }
    },
    begin: async (asset, own) => ledgerOf(asset).begin(own),
    async check(watches) {
      const byLedger = Map.groupBy(watches, ({ asset }) => ledgerOf(asset))
      const watched = await Promise.all(
        [...byLedger].map(([ledger, own]: [Ledger, Watch[]]): Promise<Watched[]> => ledger.check(own)),
      )
      return watched.flat()
    },
    async sweep(request) {
      const ledger = request.chainId === null ? undefined : ledgers.get(request.chainId)
      if (!ledger) throw new NetworkFault(`${chain} has no asset of chain ${request.chainId}`)
      return ledger.sweep(request)
    },
  }
}
