import type { Asset } from '../../domain/asset.ts'
import { type AssetGroup, makeNetwork } from '../make-network.ts'
import { type Fetch, type Network, NetworkError } from '../port.ts'
import type { Node } from '../rpc/batch.ts'
import { BalanceReader } from './balances.ts'
import type { ChainConfig } from './chain-config.ts'
import { claimOf } from './cursor.ts'
import { isForwarder } from './forwarder/recovery.ts'
import { LogReader } from './logs.ts'
import { deployerFault, tokenFault } from './readiness.ts'
import { rpcOf } from './rpc.ts'
import { look } from './scan.ts'
import { contradicts, opening } from './start-watch.ts'
import { sweep } from './sweep/sweep.ts'

export interface EvmOptions {
  /** the part of the assets' ids before the slash: "polygon" */
  chain: string
  /** those of this chain */
  assets: readonly Asset[]
  /** URLs of JSON-RPC endpoints, the preferred one first */
  endpoints: readonly string[]
  fetch: Fetch
  /** milliseconds since 1970 UTC */
  clock: () => number
  timeoutMs?: number
  /** a longer response is refused */
  maxBytes?: number
  /** how many blocks one query for logs covers at first */
  blocksAtOnce?: number
  /** how many addresses one query for logs covers */
  addressesAtOnce?: number
}

const BLOCKS_AT_ONCE = 2000
const ADDRESSES_AT_ONCE = 100

/** The assets of one chain id, with the endpoints that serve it. */
interface EvmGroup extends AssetGroup<Node> {
  config: ChainConfig
}

/** An EVM chain by JSON-RPC: forwarders and accounts, watched by their logs and balances. */
export function evmNetwork(options: EvmOptions): Network {
  const { chain, assets, clock } = options
  const groups = new Map<number | null, EvmGroup>()
  for (const [chainId, own] of Map.groupBy(assets, asset => asset.chainId)) {
    if (chainId !== null) groups.set(chainId, groupOf(options, chainId, own))
  }
  return makeNetwork({
    chain,
    assets,
    clock,
    groupOf: ({ chainId }) => groups.get(chainId),
    async sweep(request) {
      const group = groups.get(request.chainId)
      if (!group) throw new NetworkError(`${chain} has no asset of chain ${request.chainId}`)
      return group.endpoints.withFailover(node => sweep(node, group.config, request))
    },
  })
}

function groupOf(options: EvmOptions, chainId: number, assets: Asset[]): EvmGroup {
  const { chain, clock, blocksAtOnce = BLOCKS_AT_ONCE, addressesAtOnce = ADDRESSES_AT_ONCE } = options
  const config: ChainConfig = { chain, chainId, assets, clock, addressesAtOnce }
  const readers = { logs: new LogReader(blocksAtOnce), balances: new BalanceReader() }
  return {
    config,
    endpoints: rpcOf({ ...options, chainId }),
    checkAsset: async (node, asset) => (await deployerFault(node, chainId)) ?? tokenFault(node, asset),
    startWatch: (node, _asset, own) => opening(node, config, own),
    // What an account holds now must not be taken for a payment later.
    crossCheck: ({ address, source }, cursor) =>
      isForwarder(source) ? null : node => contradicts(node, config, address, cursor),
    scan: (node, watches) => look(node, config, readers, watches),
    quorumState: claimOf,
  }
}
