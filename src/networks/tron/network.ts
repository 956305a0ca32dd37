import type { Asset } from '../../domain/asset.ts'
import type { ChainConfig } from '../evm/chain-config.ts'
import { LogReader } from '../evm/logs.ts'
import { type AssetGroup, makeNetwork } from '../make-network.ts'
import type { Network, WatcherOptions } from '../port.ts'
import { Endpoints } from '../rpc/failover.ts'
import type { HttpOptions } from '../rpc/http.ts'
import { byAccount } from './account.ts'
import { Node } from './node.ts'
import { coinFault, tokenFault } from './readiness.ts'
import { look } from './scan.ts'
import { begin } from './start-watch.ts'

export type TronOptions = WatcherOptions & Pick<HttpOptions, 'timeoutMs' | 'maxBytes'>

/** The most blocks that a TRON node searches for logs at once. */
const BLOCKS_AT_ONCE = 5000
const ADDRESSES_AT_ONCE = 100

const NO_INDEX = 'TRX payments cannot be found by JSON-RPC; add a trongrid endpoint to FLORIN_TRON_URL'

/** TRON by TronGrid, which finds payments in TRX and tokens, or by JSON-RPC, which finds tokens only. */
export function tronNetwork(options: TronOptions): Network {
  const { chain, assets, clock } = options
  const nodes = options.endpoints.map(endpoint => new Node(endpoint, options))
  const logs = new LogReader(BLOCKS_AT_ONCE)
  const ownAssets = assets.map(byAccount)

  const configOf = ({ chainId }: Node): ChainConfig => ({
    chain,
    chainId,
    assets: ownAssets,
    clock,
    addressesAtOnce: ADDRESSES_AT_ONCE,
  })

  const groupOver = (
    own: Node[],
    checkAsset: (node: Node, asset: Asset) => Promise<string | null>,
    emptyReason?: string,
  ): AssetGroup<Node> => ({
    endpoints: new Endpoints<Node>({
      chain,
      members: own.map(node => ({ host: node.host, node })),
      verifyChain: node => node.prove(),
      clock,
      ...(emptyReason && { emptyReason }),
    }),
    checkAsset,
    startWatch: (node, _asset, { address }) => begin(node, configOf(node), address),
    scan: (node, watches) => look(node, configOf(node), logs, watches),
  })

  // Coins need TronGrid's index. Tokens must not depend on it, so they are a group of their own.
  const tokens = groupOver(nodes, tokenFault)
  const indexed = nodes.filter(({ rest }) => rest)
  const coins = groupOver(indexed, (node, asset) => coinFault(node, asset, clock()), NO_INDEX)
  return makeNetwork({
    chain,
    assets,
    clock,
    groupOf: ({ contract }) => (contract === null ? coins : tokens),
  })
}
