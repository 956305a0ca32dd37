import type { Asset } from '../../domain/asset.ts'
import { CLOCK_STEP_MS, isWithin } from '../../domain/clock.ts'
import { Behind, NetworkError } from '../port.ts'
import type { Query } from '../rpc/batch.ts'
import type { ChainConfig } from './chain-config.ts'
import { finalizedHeader, type Header, latestHeader } from './rpc-calls.ts'

/** The newest blocks of a chain, as one node reports them. */
export interface Tip {
  head: Header
  /** the newest final block; null if the node does not report finality */
  finalized: Header | null
}

/** The height of the newest block that was seen, and the time when it was seen. */
export interface LastSeen {
  seen: number
  /** the time when the block was seen, in milliseconds since 1970 UTC */
  seenAt: number
}

/** The two queries for a tip. */
export const tipQueries: [Query<Header>, Query<Header | null>] = [latestHeader, finalizedHeader]

/**
 * The height of the newest block that is deep enough for an asset to settle; below zero while there is no
 * such block.
 */
export const settledHeight = ({ finality, confirmations }: Asset, { head, finalized }: Tip): number =>
  finality && finalized
    ? Math.min(finalized.height, head.height)
    : head.height - Math.max(confirmations, 1) + 1

/** The height of the newest block that is deep enough for all of the assets to settle. */
export const commonSettledHeight = (assets: readonly Asset[], tip: Tip): number =>
  Math.max(0, Math.min(...assets.map(asset => settledHeight(asset, tip))))

/**
 * The shortest pause after which a node may count as stopped. Shorter pauses are normal, since block times
 * vary and clocks differ.
 */
const STALE_MIN_MS = 600_000
const STALE_BLOCKS = 50

/** Throws NetworkError if a node has stopped following its chain, so that it would not see new payments. */
export function requireFresh({ blockTimeMs, clock }: ChainConfig, { head }: Tip): void {
  const isStale =
    blockTimeMs !== null && clock() - head.at > Math.max(STALE_MIN_MS, STALE_BLOCKS * blockTimeMs)
  if (isStale) throw new Behind(`has not advanced past block ${head.height}`)
}

/**
 * The height of a block that was seen expires after this time, so that a false height cannot block honest
 * nodes for long.
 */
const SEEN_MS = 900_000

/** A chain makes blocks at most this many times faster than on average, apart from some blocks of slack. */
const FASTER_MAX = 10
const SLACK_BLOCKS = 1000

/** The most blocks that a chain can make in a time; infinite on a private chain. */
const blocksIn = ({ blockTimeMs }: ChainConfig, ms: number): number =>
  blockTimeMs === null
    ? Number.POSITIVE_INFINITY
    : SLACK_BLOCKS + (FASTER_MAX * Math.max(0, ms)) / blockTimeMs

/**
 * Throws NetworkError if a node is behind the blocks that were seen before, or has stopped following its
 * chain. A stored height that the chain cannot have reached was false, and is ignored.
 */
export function requireCurrent(config: ChainConfig, tip: Tip, cursors: LastSeen[]): void {
  const now = config.clock()
  const { head } = tip
  const possible = head.height + blocksIn(config, now - head.at)
  const recent = cursors.filter(({ seen, seenAt }) => isWithin(SEEN_MS, seenAt, now) && seen <= possible)
  const newest = Math.max(0, ...recent.map(({ seen }) => seen))
  if (head.height < newest) {
    throw new Behind(`is behind: its newest block is ${head.height}, but block ${newest} exists`)
  }
  requireFresh(config, tip)
}

/** The block from which a watch continues, when the watch was opened, and the newest block that was seen. */
interface Place extends LastSeen {
  height: number
  hash: string
  startedAt: number
}

/** True if a head is higher than the chain can be by now. */
export const isOutOfReach = (config: ChainConfig, head: Header, { seen, seenAt }: LastSeen): boolean =>
  head.height > seen + blocksIn(config, config.clock() - seenAt)

/**
 * True if an endpoint that knew only a much shorter chain, or reported an old block as a new one, moved a
 * watch far down. `block` is the block that the present endpoint has at the height of the watch. Throws
 * NetworkError if the head is false instead: the chain still has the block of the watch, and cannot have
 * grown up to the head since. A watch whose block is on the chain, and no older than the watch, is where it
 * should be: then it has not been checked for long, or the head is false.
 */
export function isLeftBehind(
  config: ChainConfig,
  head: Header,
  place: Place,
  block: Header | undefined,
): boolean {
  if (!isOutOfReach(config, head, place)) return false
  if (block?.hash !== place.hash) return true
  if (head.height - place.height > blocksIn(config, head.at - block.at)) throw outOfReach(head)
  return block.at < place.startedAt - CLOCK_STEP_MS
}

const outOfReach = ({ height }: Header): NetworkError =>
  new NetworkError(`reports block ${height}, which its chain can't have reached yet`)

const KNOWN_MAX = 8

/** The heads that endpoints of a chain reported in the last 15 minutes. */
export class KnownTips {
  #tips: LastSeen[] = []

  note({ height }: Header, now: number): void {
    const others = this.#recent(now).filter(({ seen }) => seen !== height)
    this.#tips = [...others, { seen: height, seenAt: now }].slice(-KNOWN_MAX)
  }

  /**
   * Throws NetworkError for a head that the chain cannot have reached since any of the known heads. The
   * blocks of an account that begins at such a head would never be read.
   */
  requireReachable(config: ChainConfig, head: Header): void {
    const now = config.clock()
    const recent = this.#recent(now)
    const highest = Math.max(...recent.map(({ seen, seenAt }) => seen + blocksIn(config, now - seenAt)))
    if (recent.length > 0 && head.height > highest) throw outOfReach(head)
  }

  #recent(now: number): LastSeen[] {
    return this.#tips.filter(({ seenAt }) => isWithin(SEEN_MS, seenAt, now))
  }
}

/** The newest blocks of two endpoints, and their clocks, differ by less than this. */
const TIMES_DIFFER_MS = 15_000

/**
 * True if a block seems to be later than the present by the server's clock, and by the time of another
 * endpoint's head, if it is given.
 */
export const isFromFuture = (at: number, ...times: number[]): boolean =>
  at > Math.max(...times) + TIMES_DIFFER_MS

/** True if a chain with this head cannot have a block of this height yet. */
export const isBeyond = (config: ChainConfig, head: Header, height: number): boolean =>
  height > head.height + blocksIn(config, config.clock() - head.at)
