import type { Asset } from '../domain/asset.ts'
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
 * Assets of a network that the same endpoints serve and that one scan covers. `N` is the client of one
 * endpoint. Every method may throw NetworkError, after which another endpoint is asked.
 */
export interface AssetGroup<N> {
  endpoints: Endpoints<N>
  /**
   * Returns the reason not to offer an asset although an endpoint is reachable; null if there is no reason.
   */
  checkAsset?(node: N, asset: Asset): Promise<string | null>
  /** Makes the first cursor of a new address. Payments up to its position do not count. */
  startWatch(node: N, asset: Asset, own: OwnAddress): Promise<Json>
  /**
   * Returns a check of a first cursor, to be done with a second endpoint where one is reachable. The check
   * returns true if that endpoint contradicts the cursor. Null for a cursor that needs no check.
   */
  crossCheck?(own: OwnAddress, cursor: Json): ((node: N) => Promise<boolean>) | null
  /** Finds the payments to the addresses. A watch that the endpoint cannot decide on has no result. */
  scan(node: N, watches: GroupWatch[]): Promise<WatchResult[]>
  /** Returns the part of a cursor that the endpoints of a quorum must agree on. */
  quorumState?(cursor: Json): string
  /** Reads the state of a payout wallet's address; missing where every valid address can be paid out to. */
  payoutState?(node: N, asset: Asset, address: string): Promise<PayoutState>
  /**
   * Reads the atomic amounts that addresses have received or hold; null where the endpoint does not report
   * it.
   */
  amountsAt?(node: N, asset: Asset, addresses: string[]): Promise<(bigint | null)[]>
  /** Drops what was remembered of blocks that the chain has replaced. */
  forget?(node: N): void
}

interface NetworkParts<N> {
  /** the part of the assets' ids before the slash: "polygon" */
  chain: string
  /** the assets of this chain */
  assets: readonly Asset[]
  /** milliseconds since 1970 UTC */
  clock: () => number
  /** Returns the group of an asset; undefined for an asset that the network cannot watch. */
  groupOf(asset: Asset): AssetGroup<N> | undefined
  /** true if the network's groups have `payoutState` */
  inspectsPayouts?: boolean
  /** true if the network's groups have `amountsAt` */
  reportsAmounts?: boolean
  sweep?(request: SweepRequest): Promise<Swept>
  walletProblems?(addresses: string[]): Promise<(WalletFault | null)[]>
}

/** Makes a network from the parts that are particular to its chain. README.md describes what they share. */
export function makeNetwork<N>(parts: NetworkParts<N>): Network {
  const { chain, assets, clock, groupOf, sweep, walletProblems, inspectsPayouts, reportsAmounts } = parts
  const health = new HealthCache(clock)

  function ownGroup(asset: Asset): AssetGroup<N> {
    const isOurs = asset.chain === chain && assets.some(({ id }) => id === asset.id)
    const group = isOurs ? groupOf(asset) : undefined
    if (!group) throw new NetworkError(`${asset.id} is not an asset of ${chain}`)
    return group
  }

  return {
    chain,
    async unavailableReason(asset) {
      try {
        const { endpoints, checkAsset } = ownGroup(asset)
        await endpoints.ensureReachable()
        if (!checkAsset) return null
        return await health.problem(`${asset.id} ${asset.contract} ${asset.decimals}`, () =>
          endpoints.withFailover(node => checkAsset(node, asset)),
        )
      } catch (error) {
        return error instanceof Error ? error.message : `${chain} cannot be checked`
      }
    },
    open: async request => openAddress(chain, ownGroup(request.asset), request),
    async scan(watches) {
      const groups = Map.groupBy(watches, ({ asset }) => ownGroup(asset))
      const scans = [...groups].map(([group, some]) => scanGroup(group, some, clock))
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
  // The first endpoint may be the wrong one, so another one starts the watch.
  const other = await startChecked(group, asset, own, first.node).catch(() => null)
  if (other && !other.isContradicted) return other.cursor
  throw new NetworkError(
    `${chain}: two endpoints report different balances of ${own.address}, or different heights; run the ` +
      'command again, or remove the wrong endpoint',
  )
}

/** Starts a watch with one endpoint, and checks the cursor with another. */
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
  const started = await endpoints.withFailover(start, ...(except === undefined ? [] : [except]))
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

function scanGroup<N>(group: AssetGroup<N>, watches: Watch[], clock: () => number): Promise<WatchResult[]> {
  const { endpoints, quorumState } = group
  const scan = async (node: N, some: GroupWatch[]): Promise<WatchResult[]> =>
    (await retry(group, node, () => group.scan(node, some))).map(result => untilNow(result, clock()))
  return scanInTurn({ endpoints, scan, quorumState }, watches)
}

const retry = <N, T>(group: AssetGroup<N>, node: N, work: () => Promise<T>): Promise<T> =>
  retryReorganised(work, () => group.forget?.(node))

/**
 * Limits the times of payments to the present. The block of a payment may seem later, because the clock of
 * its miner is ahead, or this server's is behind. Such a payment would count as late.
 */
const untilNow = (result: WatchResult, now: number): WatchResult => ({
  ...result,
  detectedPayments: result.detectedPayments.map(payment => ({
    ...payment,
    paidAt: Math.min(payment.paidAt, now),
  })),
})
