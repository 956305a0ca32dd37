import { isWithin, longestTimeSince } from '../../domain/clock.ts'
import { asserted } from '../../domain/errors.ts'
import { Behind, NetworkError } from '../port.ts'
import type { GroupWatch } from '../rpc/rotation.ts'
import { type CoinName, coins } from './coins.ts'
import { type BlockRef, type Cursor, readCursor, UNSURE_BLOCKS } from './cursor.ts'
import type { BitcoinNode } from './endpoints.ts'
import { CATCH_UP_BLOCKS, NEAR_BLOCKS } from './readers/core-plan.ts'
import type { Reader, Tip } from './readers/reader.ts'
import { scriptOf } from './script.ts'

/** A watch, with the height from which it continues on the present chain. */
export interface ResumedWatch {
  watch: GroupWatch
  script: string
  cursor: Cursor
  /** blocks above this height are read again */
  from: number
  /** the height from which a node of whole blocks reads on; at most `from` */
  blocksFrom: number
  /** the highest block in which a payment was reported; at least `from` */
  reportedTo: number
  /** true if the chain still contains the cursor's block */
  isOnChain: boolean
  /** the start that stays in the stored cursor, because one endpoint must not move it for the next ones */
  storedStart: number
}

/**
 * Max blocks that a reorganisation may replace. A mining reward takes as many blocks to mature, and no
 * reorganisation has ever replaced as many.
 */
const REPLACED_MAX = 100
/** An endpoint that loses up to this many of its own blocks is replacing them, and is not behind. */
const LOST_MAX = 10
/**
 * A height that was seen expires after this time, so that a false height cannot block honest endpoints for
 * long.
 */
export const SEEN_MS = 900_000
/** A chain may grow this many times faster than usual. */
const GROWTH_MAX = 2
/** A public chain never grows this many times faster than usual, except by `SLACK_BLOCKS` in a short time. */
const FASTER_MAX = 10
/** Blocks that are tolerated because a chain may grow fast for a short time. */
const SLACK_BLOCKS = 1000

/**
 * Leaves out each watch that has seen a higher tip than the endpoint's, since the endpoint may be behind. A
 * watch stays in three cases: if the endpoint once reported such a height itself, and so is replacing its
 * newest blocks; if the higher tip was last seen more than `SEEN_MS` ago; or if the endpoint takes the watch
 * over and the higher tip is far above, since another endpoint may report a false tip again and again. Throws
 * NetworkError when no watch is left.
 */
export function requireCurrent(
  node: BitcoinNode,
  watches: GroupWatch[],
  tip: Tip,
  now: number,
): GroupWatch[] {
  node.highestTip = Math.max(node.highestTip, tip.height)
  const seen = new Map(watches.map(watch => [watch, readCursor(watch.cursor)]))
  const current = watches.filter(watch => {
    const { tip: newest, tipAt } = asserted(seen.get(watch), 'each watch has a cursor')
    const wentBack = node.highestTip >= newest.height && tip.height >= newest.height - LOST_MAX
    const isFar = watch.isTakenOver === true && newest.height - tip.height > REPLACED_MAX
    const isPast = wentBack || !isWithin(SEEN_MS, tipAt, now) || isFar
    return tip.height >= newest.height || isPast
  })
  if (current.length > 0 || watches.length === 0) return current
  const newest = Math.max(...[...seen.values()].map(cursor => cursor.tip.height))
  throw new Behind(`is behind: at block ${tip.height}, but block ${newest} was seen before`)
}

/** Returns the output script that pays an address. Throws NetworkError for an invalid address. */
export function scriptOfWatch(coin: CoinName, address: string): string {
  const script = scriptOf(coin, address)
  if (script === null) throw new NetworkError(`${address} is not an address of ${coin}`)
  return script
}

/** Resumes each watch at its cursor, or at a lower block if the chain has replaced the cursor's block. */
export async function resumeWatches(
  { reader, isPrivate }: BitcoinNode,
  coin: CoinName,
  watches: readonly GroupWatch[],
  tip: Tip,
  now: number,
): Promise<ResumedWatch[]> {
  const read = watches.map(watch => readCursor(watch.cursor))
  const cursors = read.map(cursor => withTrueStart(cursor, { coin, tip, now, isPrivate }))
  const moved = cursors.filter(cursor => !isSame(cursor.tip, tip)).map(({ block }) => block)
  const blocksOnChain = await findOnChain(reader, moved)
  const replaced = cursors.filter(({ block }) => isLost(blocksOnChain.get(block)))
  const anchorsOnChain = await findOnChain(
    reader,
    replaced.flatMap(({ anchors }) => anchors),
  )
  return watches.map((watch, index): ResumedWatch => {
    const stored = asserted(cursors[index], 'each watch has a cursor')
    const isOnChain = !isLost(blocksOnChain.get(stored.block))
    const anchor = stored.anchors.findLast(block => anchorsOnChain.get(block) === 'here')
    const isKnown = isOnChain || anchor !== undefined
    const cursor = isKnown ? stored : startedBelow(stored, trueStart(stored, coin, tip, now))
    const below = anchor?.height ?? heightBelow(cursor)
    const from = isOnChain ? cursor.block.height : Math.max(cursor.startHeight, Math.min(below, tip.height))
    const counted = isOnChain ? cursor.counted : recounted(cursor, from)
    // An endpoint can be some blocks behind, but a payment this far above its tip was invented by another
    // endpoint.
    const listed = cursor.listed.filter(({ height }) => height <= tip.height + REPLACED_MAX)
    const reportedTo = Math.max(from, ...listed.map(({ height }) => height))
    const script = scriptOfWatch(coin, watch.address)
    const blocksFrom =
      reader.readsBlocks && isReread(watch, cursor, tip)
        ? Math.min(from, cursor.startHeight)
        : blocksReadTo(cursor, from, watch.isTakenOver)
    const { startHeight: storedStart } = asserted(read[index], 'each watch has a cursor')
    const position = { from, blocksFrom, reportedTo, isOnChain, storedStart }
    return { watch, script, cursor: { ...cursor, counted, listed }, ...position }
  })
}

/** The sums for a watch that continues at a lower block. `sum` is known only if that block is the start. */
const recounted = ({ counted, startHeight }: Cursor, from: number): Cursor['counted'] =>
  counted && { ...counted, sum: from === startHeight ? '0' : null }

/** Moves a watch back to its start, since an endpoint reports a greater sum than was counted. */
export function rewind(resumed: ResumedWatch): ResumedWatch {
  const { cursor } = resumed
  const { startHeight } = cursor
  const block = { height: startHeight, hash: null }
  const counted = recounted(cursor, startHeight)
  return {
    ...resumed,
    cursor: { ...cursor, block, anchors: [], counted },
    from: startHeight,
    blocksFrom: startHeight,
    isOnChain: false,
  }
}

/**
 * True if a node reads the blocks of an address again because the last scan used another endpoint, which may
 * have reported smaller amounts. Only recent addresses are read again, since their blocks are read anyway.
 * Older ones are read again, as far as one scan can, if another endpoint is requested: the former endpoint
 * may have hidden a payment in its block, and the Merkle root does not show that.
 */
const isReread = (
  { isTakenOver, elsewhere }: GroupWatch,
  { listed, startHeight }: Cursor,
  tip: Tip,
): boolean => {
  const age = tip.height - startHeight
  const isNear = age <= NEAR_BLOCKS && listed.length > 0
  return isTakenOver === true && (isNear || (elsewhere === true && age <= CATCH_UP_BLOCKS))
}

/**
 * The height up to which whole blocks were read. Above it, only an index was read, which may have left
 * payments out. A cursor of an older version lacks the height: then the endpoint of the last scan is assumed
 * to have read whole blocks, and any other endpoint begins at the start.
 */
const blocksReadTo = ({ blocksTo, startHeight }: Cursor, from: number, isTakenOver = false): number =>
  Math.min(from, Math.max(startHeight, blocksTo ?? (isTakenOver ? startHeight : from)))

/**
 * The height to continue from when none of the cursor's blocks is known to be on the chain. If the hash of
 * the cursor's block is stored, an endpoint may have invented the block, and the watch continues at its
 * start.
 */
const heightBelow = ({ block, startHeight }: Cursor): number =>
  block.hash === null ? block.height - REPLACED_MAX : startHeight

interface Circumstances {
  coin: CoinName
  tip: Tip
  now: number
  /** true for a private chain, which has no regular time between blocks */
  isPrivate: boolean
}

/**
 * Corrects a watch that begins above the tip, or further below it than the chain can have grown since: the
 * endpoint that opened it reported a false height. Also corrects a watch whose block is below its start: an
 * endpoint that knew only a shorter chain moved it there.
 */
function withTrueStart(cursor: Cursor, { coin, tip, now, isPrivate }: Circumstances): Cursor {
  const { startHeight, startedAt, block, listedAbove } = cursor
  const usual = Math.max(0, now - startedAt) / coins[coin].blockTimeMs
  const isHigh = startHeight > tip.height
  const isLow = !isPrivate && tip.height - startHeight > FASTER_MAX * usual + SLACK_BLOCKS
  const lowest = trueStart({ startHeight: tip.height, startedAt }, coin, tip, now)
  const start = isHigh || isLow ? lowest : startHeight
  if (!isHigh && block.height >= Math.min(start, lowest)) return cursor
  if (isHigh && block.height <= tip.height && block.height >= lowest) return startedBelow(cursor, start)
  return {
    ...cursor,
    block: { height: start, hash: null },
    anchors: [],
    startHeight: start,
    listedAbove: isHigh ? Math.min(listedAbove, start) : Math.max(listedAbove, start),
  }
}

/**
 * The start of a watch whose blocks are all unknown to the chain, or to an endpoint that reports no hashes.
 * An endpoint may have invented all of them, so the start is a little below where the chain must have been
 * when the watch began, but never above the stored start.
 */
function trueStart(
  { startHeight, startedAt }: Pick<Cursor, 'startHeight' | 'startedAt'>,
  coin: CoinName,
  tip: Tip,
  now: number,
): number {
  const grown = Math.ceil((GROWTH_MAX * longestTimeSince(startedAt, now)) / coins[coin].blockTimeMs)
  return Math.max(0, Math.min(startHeight, tip.height - UNSURE_BLOCKS - grown))
}

const startedBelow = (cursor: Cursor, startHeight: number): Cursor => ({
  ...cursor,
  startHeight,
  listedAbove: Math.min(cursor.listedAbove, startHeight),
})

/** True if the chain has not changed since the last scan, which the same newest block proves. */
const isSame = (before: BlockRef, tip: Tip): boolean =>
  before.hash !== null && before.height === tip.height && before.hash === tip.hash

/** The place of a block: `unknown` if the endpoint does not report its hash. */
type Place = 'here' | 'replaced' | 'unknown'

const isLost = (place: Place | undefined): boolean => place === 'replaced' || place === 'unknown'

/** Finds out whether the chain still contains each block. */
async function findOnChain(reader: Reader, blocks: readonly BlockRef[]): Promise<Map<BlockRef, Place>> {
  const heights = [...new Set(blocks.map(({ height }) => height))]
  const reported = heights.length === 0 ? [] : await reader.hashes(heights)
  const hashes = new Map(heights.map((height, index) => [height, reported?.[index] ?? null]))
  return new Map(
    blocks.map(block => {
      const hash = hashes.get(block.height) ?? null
      if (hash === null || block.hash === null) return [block, 'unknown']
      return [block, hash === block.hash ? 'here' : 'replaced']
    }),
  )
}
