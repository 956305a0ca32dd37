import type { Asset } from '../../domain/asset.ts'
import type { ChainConfig } from '../evm/chain-config.ts'
import { LogReader } from '../evm/logs.ts'
import { type Network, NetworkError, type Watch, type WatcherOptions, type WatchResult } from '../port.ts'
import { HealthCache } from '../rpc/cache.ts'
import { Endpoints } from '../rpc/failover.ts'
import type { UpstreamOptions } from '../rpc/http.ts'
import { scanWithQuorum } from '../rpc/quorum.ts'
import { retryReorganised } from '../rpc/reorg.ts'
import { byAccount } from './account.ts'
import { Node } from './node.ts'
import { coinFault, tokenFault } from './readiness.ts'
import { look } from './scan.ts'
import { begin } from './start-watch.ts'

export type TronOptions = WatcherOptions & Pick<UpstreamOptions, 'timeoutMs' | 'maxBytes'>

/** A node of TRON refuses questions for logs of more. */
const BLOCKS_AT_ONCE = 5000
const ADDRESSES_AT_ONCE = 100

/** TRON by TronGrid, which watches TRX and tokens, or by JSON-RPC of a node, which watches tokens alone. */
export function tronNetwork(options: TronOptions): Network {
  const { chain, clock, endpoints } = options
  const assets = options.assets.map(byAccount)
  const remembered = new HealthCache(clock)
  const reader = new LogReader(BLOCKS_AT_ONCE)
  const nodes = endpoints.map(endpoint => new Node(endpoint, options))
  const members = (own: Node[]) => own.map(node => ({ host: node.host, node }))
  const proven = { chain, clock, verifyChain: (node: Node) => node.prove() }
  const forTokens = new Endpoints<Node>({ ...proven, members: members(nodes) })
  const forCoins = new Endpoints<Node>({ ...proven, members: members(nodes.filter(({ rest }) => rest)) })

  const chainConfigOf = ({ chainId }: Node): ChainConfig => ({
    chain,
    chainId,
    assets,
    clock,
    addressesAtOnce: ADDRESSES_AT_ONCE,
  })

  /** What waits for the coin needs an index, which what waits for a token must not hang on. */
  function endpointsOf(asset: Asset): Endpoints<Node> {
    if (!assets.some(({ id }) => id === asset.id))
      throw new NetworkError(`${asset.id} is no asset of ${chain}`)
    return asset.contract === null ? forCoins : forTokens
  }

  async function faultOf(asset: Asset): Promise<string | null> {
    const own = endpointsOf(asset)
    if (asset.contract === null && !nodes.some(({ rest }) => rest)) {
      return `${asset.ticker} cannot be watched by JSON-RPC: name a trongrid endpoint in FLORIN_TRON_URL`
    }
    await own.ensureReachable()
    return remembered.problem(`${asset.contract} ${asset.decimals}`, () =>
      own.withFailover(node =>
        asset.contract === null ? coinFault(node, asset, clock()) : tokenFault(node, asset),
      ),
    )
  }

  const checkWith = (own: Endpoints<Node>, watches: Watch[]): Promise<WatchResult[]> =>
    scanWithQuorum(
      own,
      (node, some) => retryReorganised(() => look(node, chainConfigOf(node), reader, some)),
      watches,
    )

  return {
    chain,
    async unavailableReason(asset) {
      try {
        return await faultOf(asset)
      } catch (error) {
        return error instanceof Error ? error.message : `${chain} cannot be examined`
      }
    },
    startWatch: async (asset, { address }) =>
      endpointsOf(asset).withFailover(node => begin(node, chainConfigOf(node), address)),
    async scan(watches) {
      const groups = Map.groupBy(watches, ({ asset }) => endpointsOf(asset))
      const looks = await Promise.allSettled([...groups].map(([own, some]) => checkWith(own, some)))
      return heardOf(looks)
    },
  }
}

/** One group may be heard while the other is not; what is not heard at all stays as it is. */
function heardOf(looks: PromiseSettledResult<WatchResult[]>[]): WatchResult[] {
  const heard = looks.flatMap(look => (look.status === 'fulfilled' ? [look.value] : []))
  const faults = looks.flatMap(look => (look.status === 'rejected' ? [look.reason as unknown] : []))
  const bug = faults.find(fault => !(fault instanceof NetworkError))
  if (bug || (heard.length === 0 && faults.length > 0)) throw bug ?? faults[0]
  return heard.flat()
}
