import type { Asset } from '../../domain/asset.ts'
import type { Question } from '../rpc/batch.ts'
import { finalizedHeader, type Header, latestHeader } from './rpc-calls.ts'

/** How far a chain has come, by one node at one time. */
export interface Tip {
  head: Header
  /** null where the node knows none */
  finalized: Header | null
}

/** The two questions that a tip is read from. */
export const tipQuestions: [Question<Header>, Question<Header | null>] = [latestHeader, finalizedHeader]

/** The highest block that is deep enough for an asset to settle; below zero while there is none. */
export const settledHeight = ({ finality, confirmations }: Asset, { head, finalized }: Tip): number =>
  finality && finalized
    ? Math.min(finalized.height, head.height)
    : head.height - Math.max(confirmations, 1) + 1

/** The highest block that is deep enough for all of them. */
export const commonHeight = (assets: readonly Asset[], tip: Tip): number =>
  Math.max(0, Math.min(...assets.map(asset => settledHeight(asset, tip))))

/** Block times vary, and clocks differ: a shorter pause is no sign that a node has stopped. */
const STALE_MIN_MS = 600_000
const STALE_BLOCKS = 50

/** Whether a node has stopped following its chain, so that "nothing arrived" means nothing. */
export const isStale = (blockTimeMs: number | null, { head }: Tip, now: number): boolean =>
  blockTimeMs !== null && now - head.at > Math.max(STALE_MIN_MS, STALE_BLOCKS * blockTimeMs)

/** For how long it is believed that there is a block that one node told of. */
const SEEN_MS = 900_000

/** The newest block that was seen of late: a node that does not know it is behind. */
export const newestSeen = (cursors: { seen: number; seenAt: number }[], now: number): number =>
  Math.max(0, ...cursors.map(({ seen, seenAt }) => (now - seenAt < SEEN_MS ? seen : 0)))
