import type { Asset } from '../../domain/asset.ts'
import { readOrigin } from '../address-origin.ts'
import { blockTimeOf } from '../assets.ts'
import type { ChainConfig } from '../evm-like/chain-config.ts'
import { LogReader } from '../evm-like/logs.ts'
import { KnownTips, tipQueries } from '../evm-like/tip.ts'
import { type AssetGroup, makeNetwork } from '../make-network.ts'
import {
  type Balance,
  type Fetch,
  type Network,
  NetworkError,
  type NetworkOptions,
  type SameAddresses,
} from '../port.ts'
import { ask, type Node } from '../rpc/batch.ts'
import { retryReorganised } from '../rpc/reorg.ts'
import { fulfilled } from '../rpc/rotation.ts'
import { BalanceReader } from './balances.ts'
import { balanceFingerprint } from './cursor.ts'
import { cursorSince, readHoldings } from './elsewhere.ts'
import { movingFees } from './fees.ts'
import { payoutState } from './payout-state.ts'
import { assetProblem, deployerProblem } from './readiness.ts'
import { isPrivateChain, rpcOf } from './rpc.ts'
import { scan } from './scan.ts'
import { contradictsCursor, startWatch } from './start-watch.ts'
import { sweep } from './sweep/sweep.ts'

export interface EvmOptions extends Pick<NetworkOptions, 'headersOf' | 'healthOf'> {
  /** the part of the assets' IDs before the slash: "polygon" */
  chain: string
  /** the assets of this chain */
  assets: readonly Asset[]
  /** URLs of JSON-RPC endpoints, the preferred one first */
  endpoints: readonly string[]
  fetch: Fetch
  /** milliseconds since 1970 UTC */
  clock: () => number
  timeoutMs?: number
  /** the longest response that is accepted */
  maxBytes?: number
  /** the number of blocks that one query for logs covers at first */
  blocksAtOnce?: number
  /** the number of addresses that one query for logs covers */
  addressesAtOnce?: number
}

const BLOCKS_AT_ONCE = 2000
const ADDRESSES_AT_ONCE = 100

/** The assets of one chain ID, with the endpoints that serve it. */
interface EvmGroup extends AssetGroup<Node> {
  config: ChainConfig
  balances: BalanceReader
}

/** The network of an EVM chain, which watches forwarders and accounts by their logs and balances. */
export function evmNetwork(options: EvmOptions): Network {
  const { chain, assets, clock } = options
  const groups = new Map<number | null, EvmGroup>()
  for (const [chainId, own] of Map.groupBy(assets, asset => asset.chainId)) {
    if (chainId !== null) groups.set(chainId, groupOf(options, chainId, own))
  }
  const groupOfChain = (chainId: number | null): EvmGroup => {
    const group = groups.get(chainId)
    if (!group) throw new NetworkError(`${chain} has no asset with chain ID ${chainId}`)
    return group
  }
  const network = makeNetwork({
    chain,
    assets,
    clock,
    groupOf: ({ chainId }) => groups.get(chainId),
    inspectsPayouts: true,
    reportsAmounts: true,
    async sweep(request) {
      const group = groupOfChain(request.chainId)
      return group.endpoints.withFailover(node => sweep(node, group.config, request))
    },
  })
  return {
    ...network,
    sameAddresses: sameAddresses(chain, groups),
    movingFees(chainId) {
      const { endpoints, config } = groupOfChain(chainId)
      return movingFees(endpoints, config)
    },
  }
}

const sameAddresses = (chain: string, groups: ReadonlyMap<number | null, EvmGroup>): SameAddresses => ({
  async balances(addresses) {
    const reads = await Promise.allSettled(
      [...groups.values()].map(({ endpoints, config, balances }) =>
        endpoints.withFailover(node => readHoldings(node, balances, config, addresses)),
      ),
    )
    const held = new Map<string, readonly Balance[]>()
    for (const [address, own] of fulfilled(reads).flatMap(found => [...found])) {
      held.set(address, [...(held.get(address) ?? []), ...own])
    }
    return held
  },
  async cursorSince({ id, chainId }, own, since) {
    const group = groups.get(chainId)
    if (!group) throw new NetworkError(`${id} is not an asset of ${chain}`)
    return group.endpoints.withFailover(node =>
      retryReorganised(() => cursorSince(node, group.config, own, since)),
    )
  },
})

function groupOf(options: EvmOptions, chainId: number, assets: Asset[]): EvmGroup {
  const { chain, clock, blocksAtOnce = BLOCKS_AT_ONCE, addressesAtOnce = ADDRESSES_AT_ONCE } = options
  const rpcOptions = { ...options, chainId }
  const blockTimeMs = isPrivateChain(rpcOptions) ? null : blockTimeOf(chain)
  const config: ChainConfig = { chain, chainId, blockTimeMs, assets, clock, addressesAtOnce }
  const readers = { logs: new LogReader(blocksAtOnce, clock), balances: new BalanceReader() }
  const known = new KnownTips()
  return {
    config,
    balances: readers.balances,
    endpoints: rpcOf(rpcOptions),
    checkAsset: async (node, asset) => (await deployerProblem(node, chainId)) ?? assetProblem(node, asset),
    startWatch: (node, _asset, own) => startWatch(node, config, known, own),
    // The balance is checked with another endpoint: if it is reported too low now, it would look like a
    // payment later.
    crossCheck: ({ address, source }, cursor) =>
      readOrigin(source).kind === 'create2' ? null : node => contradictsCursor(node, config, address, cursor),
    scan: (node, watches) => scan(node, config, { ...readers, known }, watches),
    quorumState: balanceFingerprint,
    payoutState,
    async amountsAt(node, { contract }, addresses) {
      const [head] = await ask(node, [tipQueries[0]])
      const [held] = await readers.balances.read(node, [{ contract, addresses }], head)
      return addresses.map(address => held?.get(address) ?? null)
    },
  }
}
