import type { Asset } from '../../domain/asset.ts'
import { assert } from '../../domain/errors.ts'
import { type AssetGroup, makeNetwork } from '../make-network.ts'
import type { Network, NetworkOptions } from '../port.ts'
import { Doubts, withSecondLook } from '../rpc/doubts.ts'
import { mapLimit } from '../rpc/map-limit.ts'
import { type CoinName, coins } from './coins.ts'
import { type BitcoinNode, bitcoinEndpoints } from './endpoints.ts'
import { scan } from './scan.ts'
import { startWatch } from './start-watch.ts'

const CONCURRENT_REQUESTS = 4

/** The network of Bitcoin or a chain of its kind, read by Esplora, Blockbook or Bitcoin Core. */
export function bitcoinNetwork(options: NetworkOptions): Network {
  const { chain, assets, clock } = options
  const coin = coinOf(assets)
  const doubts = new Doubts()
  const group: AssetGroup<BitcoinNode> = {
    endpoints: bitcoinEndpoints(coin, options),
    startWatch: (node, _asset, { address }) => startWatch(node, coin, address, clock),
    scan: async (node, watches) => doubts.complete(await scan(node, watches, { coin, clock, doubts })),
    forget: ({ reader }) => reader.forget(),
    amountsAt: ({ reader }, _asset, addresses) =>
      mapLimit(addresses, CONCURRENT_REQUESTS, address => reader.received({ address })),
  }
  const lenientGroup: AssetGroup<BitcoinNode> = {
    ...group,
    scan: async (node, watches) => doubts.complete(await scan(node, watches, { coin, clock, doubts: null })),
  }
  return withSecondLook({
    strict: makeNetwork({ chain, assets, clock, groupOf: () => group, reportsAmounts: true }),
    lenient: makeNetwork({ chain, assets, clock, groupOf: () => lenientGroup }),
    doubts,
  })
}

function coinOf(assets: readonly Asset[]): CoinName {
  const network = assets[0]?.network
  assert(network !== undefined && Object.hasOwn(coins, network), 'the assets belong to a coin of this kind')
  return network as CoinName
}
