import type { Asset } from '../../domain/asset.ts'
import type { Query } from '../rpc/batch.ts'
import { finalizedHeader, type Header, latestHeader } from './rpc-calls.ts'

/** How far a chain has come, by one node at one time. */
export interface Tip {
  head: Header
  /** null where the node knows none */
  finalized: Header | null
}

/** The two questions that a tip is read from. */
export const tipQuestions: [Query<Header>, Query<Header | null>] = [latestHeader, finalizedHeader]

/** The highest block that is deep enough for an asset to settle; below zero while there is none. */
export const settledHeight = ({ finality, confirmations }: Asset, { head, finalized }: Tip): number =>
  finality && finalized
    ? Math.min(finalized.height, head.height)
    : head.height - Math.max(confirmations, 1) + 1

/** The highest block that is deep enough for all of them. */
export const commonHeight = (assets: readonly Asset[], tip: Tip): number =>
  Math.max(0, Math.min(...assets.map(asset => settledHeight(asset, tip))))

/** The chains that never pause; on a chain of one's own, blocks may come only when they are asked for. */
const restless = new Set([1, 10, 56, 137, 8453, 42161, 728126428])
const STALE_MS = 600_000

/** Whether a node has stopped to follow a chain that goes on, so that its "nothing arrived" means nothing. */
export const isStale = (chainId: number, { head }: Tip, now: number): boolean =>
  restless.has(chainId) && now - head.at > STALE_MS

/** For how long it is believed that there is a block that one node told of. */
const SEEN_MS = 900_000

/** The newest block that was seen of late: a node that does not know it is behind. */
export const newestSeen = (cursors: { seen: number; seenAt: number }[], now: number): number =>
  Math.max(0, ...cursors.map(({ seen, seenAt }) => (now - seenAt < SEEN_MS ? seen : 0)))
