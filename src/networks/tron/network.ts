import type { Asset } from '../../domain/asset.ts'
import { blockTimeOf } from '../assets.ts'
import type { ChainConfig } from '../evm-like/chain-config.ts'
import { LogReader } from '../evm-like/logs.ts'
import { tokenProblem } from '../evm-like/readiness.ts'
import { type AssetGroup, makeNetwork } from '../make-network.ts'
import { type Network, NetworkError, type NetworkOptions, type WatchResult } from '../port.ts'
import { distinct, Endpoints } from '../rpc/failover.ts'
import type { HttpOptions } from '../rpc/http.ts'
import type { GroupWatch } from '../rpc/rotation.ts'
import { toEvmAddress, withEvmContract } from './address.ts'
import { amountsAt } from './amounts.ts'
import { Node } from './node.ts'
import { scan } from './scan.ts'
import { startWatch } from './start-watch.ts'
import { timeCheck } from './time-check.ts'

export type TronOptions = NetworkOptions & Pick<HttpOptions, 'timeoutMs' | 'maxBytes'>

/** TRON's nodes search at most this many blocks for logs at once. */
const BLOCKS_AT_ONCE = 5000
const ADDRESSES_AT_ONCE = 100

const NO_INDEX = 'TRX payments cannot be found by JSON-RPC; add a trongrid endpoint to FLORIN_TRON_URL'

/**
 * The network of TRON, read by TronGrid, which finds TRX and tokens, or by JSON-RPC, which finds only tokens.
 */
export function tronNetwork(options: TronOptions): Network {
  const { chain, assets, clock } = options
  const nodes = distinct(options.endpoints).map(endpoint => new Node(endpoint, options))
  const logs = new LogReader(BLOCKS_AT_ONCE, clock)
  const ownAssets = assets.map(withEvmContract)

  const configOf = ({ chainId, isPrivate }: Node): ChainConfig => ({
    chain,
    chainId,
    blockTimeMs: isPrivate ? null : blockTimeOf(chain),
    assets: ownAssets,
    clock,
    addressesAtOnce: ADDRESSES_AT_ONCE,
  })

  const groupOver = (own: Node[], use: string, emptyReason?: string): AssetGroup<Node> => ({
    endpoints: new Endpoints<Node>({
      chain,
      members: own.map(node => ({ host: node.host, node, health: options.healthOf?.(node.url, use) })),
      verifyChain: node => node.verifyChain(),
      clock,
      ...(emptyReason && { emptyReason }),
    }),
    checkAsset: (node, asset) => assetProblem(node, asset, clock()),
    startWatch: (node, _asset, { address }) => startWatch(node, configOf(node), address),
    crossCheck: (_own, cursor) => timeCheck(clock, cursor),
    scan: (node, watches) => scanAll(node, watches),
    amountsAt,
  })

  /** Scans with an endpoint, and with another one the watches whose coin payments the first did not list. */
  async function scanAll(node: Node, watches: GroupWatch[]): Promise<WatchResult[]> {
    const { results, unread } = await scan(node, configOf(node), logs, watches)
    if (unread.length === 0 || !nodes.some(({ rest }) => rest)) return results
    const again = await coins.endpoints
      .withFailover(other => scan(other, configOf(other), logs, unread), node)
      .catch((error: unknown) => {
        if (error instanceof NetworkError) return { results: [] }
        throw error
      })
    const replaced = new Map(again.results.map(result => [result.attemptId, result]))
    return [...results.filter(({ attemptId }) => !replaced.has(attemptId)), ...replaced.values()]
  }

  // Coins need TronGrid's index. Tokens are a group of their own, so that they do not depend on it.
  const tokens = groupOver(nodes, 'tokens')
  const coins = groupOver(
    nodes.filter(({ rest }) => rest),
    'coins',
    NO_INDEX,
  )
  return makeNetwork({
    chain,
    assets,
    clock,
    reportsAmounts: true,
    groupOf: ({ contract }) => (contract === null ? coins : tokens),
  })
}

const ZERO_ADDRESS = `0x${'0'.repeat(40)}`

/** The reason why an asset cannot be watched at an endpoint; null if it can. Throws NetworkError. */
async function assetProblem(node: Node, asset: Asset, now: number): Promise<string | null> {
  const { contract } = asset
  if (contract === null) return coinProblem(node, asset, now)
  // Only JSON-RPC can ask a contract for its decimals, so an endpoint without JSON-RPC is not checked.
  return node.rpc === null ? null : tokenProblem(node.rpc, asset, toEvmAddress(contract), 'TRON')
}

async function coinProblem({ rest, host }: Node, coin: Asset, now: number): Promise<string | null> {
  const listed = rest ? await rest.coinEntries(ZERO_ADDRESS, now) : null
  if (listed) return null
  const remedy = 'Set FLORIN_TRON_URL to TronGrid, or to another endpoint that lists them.'
  return `${host} does not list payments of ${coin.ticker}. ${remedy}`
}
