import type { Asset } from '../../domain/asset.ts'
import { type Fetch, type Network, NetworkError, type Watch, type WatchResult } from '../port.ts'
import { EvmChain } from './chain.ts'

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
      const config = { chain, chainId, assets: own, clock, addressesAtOnce }
      return [[chainId, new EvmChain(config, { ...options, chainId }, blocksAtOnce)] as const]
    }),
  )

  function ledgerOf(asset: Asset): EvmChain {
    const ledger = asset.chainId === null ? undefined : ledgers.get(asset.chainId)
    const isOurs = asset.chain === chain && assets.some(({ id }) => id === asset.id)
    if (!ledger || !isOurs) throw new NetworkError(`${asset.id} is no asset of ${chain}`)
    return ledger
  }

  return {
    chain,
    async unavailableReason(asset) {
      try {
        return await ledgerOf(asset).unavailableReason(asset)
      } catch (error) {
        return error instanceof Error ? error.message : `${chain} cannot be examined`
      }
    },
    startWatch: async (asset, own) => ledgerOf(asset).startWatch(own),
    async scan(watches) {
      const byLedger = Map.groupBy(watches, ({ asset }) => ledgerOf(asset))
      const watched = await Promise.all(
        [...byLedger].map(([ledger, own]: [EvmChain, Watch[]]): Promise<WatchResult[]> => ledger.scan(own)),
      )
      return watched.flat()
    },
    async sweep(request) {
      const ledger = request.chainId === null ? undefined : ledgers.get(request.chainId)
      if (!ledger) throw new NetworkError(`${chain} has no asset of chain ${request.chainId}`)
      return ledger.sweep(request)
    },
  }
}
