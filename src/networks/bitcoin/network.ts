import type { Asset } from '../../domain/asset.ts'
import { assert } from '../../domain/errors.ts'
import { type Network, NetworkError, type WatcherOptions } from '../port.ts'
import { scanWithQuorum } from '../rpc/quorum.ts'
import { retryReorganised } from '../rpc/reorg.ts'
import { type CoinName, coins } from './coins.ts'
import { type Node, nodesOf } from './node.ts'
import { scan } from './scan.ts'
import { startWatch } from './start-watch.ts'

/**
 * Bitcoin, or a chain of its kind, by endpoints that speak Esplora's, Blockbook's or Bitcoin Core's protocol.
 *
 * What a look at N addresses costs, in requests: 2 + N of Esplora and Blockbook, which tell unconfirmed
 * payments by address alone, and 6 + N after a new block; 3 of a Core node, whatever N is, and 3 more for a
 * new block with one for each 100 new unconfirmed transactions. A page more for each 25 payments to one
 * address, and a request for each block that holds a payment that is not settled.
 */
export function utxoNetwork(options: WatcherOptions): Network {
  const { chain, assets, clock } = options
  const coin = coinOf(assets)
  const endpoints = nodesOf(coin, options)

  function own(asset: Asset): void {
    const isOurs = assets.some(({ id }) => id === asset.id)
    if (!isOurs) throw new NetworkError(`${asset.id} is no asset of ${chain}`)
  }

  return {
    chain,
    async unavailableReason(asset) {
      try {
        own(asset)
        await endpoints.ensureReachable()
        return null
      } catch (error) {
        return error instanceof Error ? error.message : `${chain} cannot be examined`
      }
    },
    async startWatch(asset, { address }) {
      own(asset)
      return endpoints.withFailover(node => retry(node, () => startWatch(node, coin, address, clock)))
    },
    async scan(watches) {
      for (const { asset } of watches) own(asset)
      if (watches.length === 0) return []
      return scanWithQuorum(
        endpoints,
        (node, some) => retry(node, () => scan(node, coin, some, clock)),
        watches,
      )
    },
  }
}

function coinOf(assets: readonly Asset[]): CoinName {
  const network = assets[0]?.network
  assert(network !== undefined && Object.hasOwn(coins, network), 'a chain of this kind has its coin')
  return network as CoinName
}

const retry = <T>({ reader }: Node, work: () => Promise<T>): Promise<T> =>
  retryReorganised(work, () => reader.forget())
