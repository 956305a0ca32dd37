import type { Asset } from '../domain/asset.ts'
import { type Awaitable, whenKnown } from '../domain/awaitable.ts'
import { assert } from '../domain/errors.ts'
import type { Json } from '../domain/metadata.ts'
import type { WalletFault } from '../domain/wallet-fault.ts'
import { paymentUri } from './payment-uri.ts'
import {
  type Network,
  NetworkError,
  type OpenRequest,
  type OwnAddress,
  type PaymentTarget,
  type PayoutState,
  type SweepRequest,
  type Swept,
  type Watch,
  type WatchResult,
} from './port.ts'
import { HealthCache } from './rpc/cache.ts'
import type { Endpoints } from './rpc/failover.ts'
import { retryReorganised } from './rpc/reorg.ts'
import { fulfilled, type GroupWatch, scanInTurn } from './rpc/rotation.ts'

/**
 * Assets of a network that the same endpoints serve and that one scan covers. `N` is one endpoint, in
 * whatever protocol it speaks. Every method may throw NetworkError; then another endpoint is asked.
 */
export interface AssetGroup<N> {
  endpoints: Endpoints<N>
  /** Why an asset cannot be offered although an endpoint is reachable; null when it can. */
  checkAsset?(node: N, asset: Asset): Promise<string | null>
  /** The first cursor of a new address. Payments up to there do not count. */
  startWatch(node: N, asset: Asset, own: OwnAddress): Promise<Json>
  /**
   * A check of a first cursor by a second endpoint, where one is reachable: whether it contradicts the first.
   * Null for a cursor that needs no check.
   */
  crossCheck?(own: OwnAddress, cursor: Json): ((node: N) => Promise<boolean>) | null
  /** What has arrived at the addresses. A watch that the endpoint cannot decide on is left out. */
  scan(node: N, watches: GroupWatch[]): Promise<WatchResult[]>
  /** The part of a cursor that the endpoints of a quorum must agree on. */
  quorumState?(cursor: Json): string
  /** What is at the address of a payout wallet; missing where every address can be paid out to. */
  payoutState?(node: N, asset: Asset, address: string): Promise<PayoutState>
  /** How much of an asset addresses have received, or hold; null where the endpoint does not report it. */
  amountsAt?(node: N, asset: Asset, addresses: string[]): Promise<(bigint | null)[]>
  /** Drops what was remembered of blocks that the chain has replaced. */
  forget?(node: N): void
}

interface NetworkParts<N> {
  /** the part of the assets' ids before the slash: "polygon" */
  chain: string
  /** those of this chain */
  assets: readonly Asset[]
  /** milliseconds since 1970 UTC */
  clock: () => number
  /** Undefined for an asset that the network cannot watch. */
  groupOf(asset: Asset): AssetGroup<N> | undefined
  /** whether its groups tell the state of a payout wallet */
  inspectsPayouts?: boolean
  /** whether its groups report what addresses received */
  reportsAmounts?: boolean
  sweep?(request: SweepRequest): Promise<Swept>
  walletProblems?(addresses: string[]): Promise<(WalletFault | null)[]>
}

/** A network from what is particular to it. All else is the same for each: see README.md. */
export function makeNetwork<N>(parts: NetworkParts<N>): Network {
  const { chain, assets, clock, groupOf, sweep, walletProblems, inspectsPayouts, reportsAmounts } = parts
  const health = new HealthCache(clock)

  function ownGroup(asset: Asset): AssetGroup<N> {
    const isOurs = asset.chain === chain && assets.some(({ id }) => id === asset.id)
    const group = isOurs ? groupOf(asset) : undefined
    if (!group) throw new NetworkError(`${asset.id} is not an asset of ${chain}`)
    return group
  }

  function problemOf(asset: Asset): Awaitable<string | null> {
    const group = ownGroup(asset)
    return whenKnown(group.endpoints.ensureReachable(), () => {
      if (!group.checkAsset) return null
      return health.problem(`${asset.id} ${asset.contract} ${asset.decimals}`, () =>
        group.endpoints.withFailover(node => group.checkAsset!(node, asset)),
      )
    })
  }

  return {
    chain,
    unavailableReason(asset) {
      const reasonOf = (error: unknown): string =>
        error instanceof Error ? error.message : `${chain} cannot be checked`
      try {
        const problem = problemOf(asset)
        return problem instanceof Promise ? problem.catch(reasonOf) : problem
      } catch (error) {
        return reasonOf(error)
      }
    },
    open: async request => openAddress(chain, ownGroup(request.asset), request),
    async scan(watches) {
      const groups = Map.groupBy(watches, ({ asset }) => ownGroup(asset))
      const scans = [...groups].map(([group, some]) => scanGroup(group, some))
      return fulfilled(await Promise.allSettled(scans)).flat()
    },
    ...(sweep && { sweep }),
    ...(walletProblems && { walletProblems }),
    ...(reportsAmounts && {
      async amountsAt(asset, addresses) {
        const { endpoints, amountsAt } = ownGroup(asset)
        assert(amountsAt, 'a network that reports amounts knows how')
        return endpoints.withFailover(node => amountsAt(node, asset, addresses))
      },
    }),
    ...(inspectsPayouts && {
      async inspectPayout(asset, address) {
        const { endpoints, payoutState } = ownGroup(asset)
        assert(payoutState, 'a network that inspects payout wallets knows how')
        return endpoints.withFailover(node => payoutState(node, asset, address))
      },
    }),
  }
}

async function openAddress<N>(
  chain: string,
  group: AssetGroup<N>,
  { attemptId, asset, own, dueAtomic, label }: OpenRequest,
): Promise<PaymentTarget> {
  assert(own, 'a chain is paid at an address of the merchant')
  const cursor = await startWatch(chain, group, asset, { attemptId, ...own })
  return { ...own, cursor, uri: paymentUri(asset, own.address, dueAtomic, label) }
}

async function startWatch<N>(
  chain: string,
  group: AssetGroup<N>,
  asset: Asset,
  own: OwnAddress,
): Promise<Json> {
  const first = await startChecked(group, asset, own)
  if (!first.isContradicted) return first.cursor
  // Another endpoint may be right.
  const other = await startChecked(group, asset, own, first.node).catch(() => null)
  if (other && !other.isContradicted) return other.cursor
  throw new NetworkError(
    `${chain}: two endpoints report different balances of ${own.address}, or different heights; run the ` +
      'command again, or remove the wrong endpoint',
  )
}

/** A first cursor by one endpoint, and whether another one contradicts it. */
async function startChecked<N>(
  group: AssetGroup<N>,
  asset: Asset,
  own: OwnAddress,
  except?: N,
): Promise<{ node: N; cursor: Json; isContradicted: boolean }> {
  const { endpoints } = group
  const start = async (node: N) => ({
    node,
    cursor: await retry(group, node, () => group.startWatch(node, asset, own)),
  })
  const started = await endpoints.withFailover(start, except)
  const contradicts = group.crossCheck?.(own, started.cursor)
  const isWrong = contradicts ? await isContradicted(endpoints, contradicts, started.node) : false
  return { ...started, isContradicted: isWrong }
}

async function isContradicted<N>(
  endpoints: Endpoints<N>,
  contradicts: (node: N) => Promise<boolean>,
  first: N,
): Promise<boolean> {
  try {
    return await endpoints.withFailover(contradicts, first)
  } catch (error) {
    if (!(error instanceof NetworkError)) throw error
    return false
  }
}

function scanGroup<N>(group: AssetGroup<N>, watches: Watch[]): Promise<WatchResult[]> {
  const { endpoints, quorumState } = group
  const scan = (node: N, some: GroupWatch[]): Promise<WatchResult[]> =>
    retry(group, node, () => group.scan(node, some))
  return scanInTurn({ endpoints, scan, quorumState }, watches)
}

const retry = <N, T>(group: AssetGroup<N>, node: N, work: () => Promise<T>): Promise<T> =>
  retryReorganised(work, () => group.forget?.(node))
