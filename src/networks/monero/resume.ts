import type { Asset } from '../../domain/asset.ts'
import { isWithin, longestTimeSince } from '../../domain/clock.ts'
import { asserted } from '../../domain/errors.ts'
import { Behind } from '../port.ts'
import { Reorganised } from '../rpc/reorg.ts'
import type { GroupWatch } from '../rpc/rotation.ts'
import { type Cursor, isKnownBlock, readCursor, shortHex } from './cursor.ts'
import type { Daemon, DaemonStatus, Header } from './daemon.ts'
import { type ScanKeys, scanKeysOf } from './subaddress.ts'
import { isMainnet, syncedStatus } from './verify.ts'

/** A watch, with the cursor from which it continues on the present chain. */
export interface ResumedWatch extends ScanKeys {
  watch: GroupWatch
  cursor: Cursor
  /**
   * the position that the watch had before it was moved back to its start, to be read again although the
   * chain was not replaced; null for any other watch
   */
  rereadTo: Pick<Cursor, 'height' | 'usedKeys'> | null
  /** true if the daemon's newest block is below a block that was seen before */
  isBehind: boolean
}

/** The newest blocks of one chain, without a gap. */
export interface Chain {
  tip: Header
  /** Returns the headers above a height, which must have been read. */
  above(height: number): Header[]
  at(height: number): Header | undefined
}

/**
 * A daemon whose newest block is older than this has stopped. Blocks come every two minutes, and miners'
 * clocks may be off.
 */
const STALE_MS = 4 * 3_600_000

/** The height of the newest block with enough confirmations. */
export const settledHeight = ({ confirmations }: Asset, tip: { height: number }): number =>
  Math.max(0, tip.height - Math.max(confirmations, 1) + 1)

/**
 * Reads the headers from the lowest cursor to the tip. A watch whose block was replaced continues at its
 * start. A watch that has seen newer blocks than the daemon's is left out. Throws NetworkError when no watch
 * is left.
 */
export async function resumeWatches(
  daemon: Daemon,
  watches: GroupWatch[],
  now: number,
): Promise<{ chain: Chain; resumedWatches: ResumedWatch[] }> {
  const status = await syncedStatus(daemon)
  const cursors: Cursor[] = []
  for (const watch of watches)
    cursors.push(await withTrueStart(daemon, status, readCursor(watch.cursor), now))
  const newest = await readChain(daemon, status, Math.min(...cursors.map(({ height }) => height)))
  if (isMainnet(status) && now - newest.tip.at > STALE_MS) {
    throw new Behind(`has not advanced past block ${status.height}`)
  }
  const resumedWatches = watches.flatMap((watch, index): ResumedWatch[] => {
    const resumed = onChain(asserted(cursors[index], 'each watch has a cursor'), newest, {
      isPublic: isMainnet(status),
      isTakenOver: watch.isTakenOver === true,
      now,
    })
    return resumed ? [{ watch, ...scanKeysOf(watch), ...again(watch, resumed, newest.tip) }] : []
  })
  if (resumedWatches.length === 0 && watches.length > 0) {
    const seen = Math.max(...cursors.map(({ tipHeight }) => tipHeight))
    throw new Behind(`is behind: at block ${newest.tip.height}, but block ${seen} was seen before`)
  }
  const lowest = Math.min(...resumedWatches.map(({ cursor }) => cursor.height))
  const chain = newest.at(lowest) ? newest : await readChain(daemon, status, lowest)
  return { chain, resumedWatches: resumedWatches.map(resumed => aboveFirst(resumed, chain)) }
}

/**
 * Leaves out the blocks from before the watch began, which a restart also reads: earlier payments to its
 * address do not count. The first block may be false, so this holds only if it is on the chain.
 */
function aboveFirst(resumed: ResumedWatch, { at }: Chain): ResumedWatch {
  const { first, height } = resumed.cursor
  const block = first && first.height > height ? at(first.height) : undefined
  if (!first || !block || shortHex(block.hash) !== first.hash) return resumed
  return { ...resumed, cursor: { ...resumed.cursor, height: first.height, hash: block.hash } }
}

async function readChain(
  daemon: Daemon,
  { height, hash }: { height: number; hash: string },
  from: number,
): Promise<Chain> {
  const lowest = Math.min(from, height)
  const headers = await daemon.headers(lowest, height)
  const tip = asserted(headers.at(-1), 'the headers reach to the tip')
  if (tip.hash !== hash) throw new Reorganised()
  return {
    tip,
    above: below => headers.slice(below + 1 - lowest),
    at: wanted => (wanted < lowest ? undefined : headers[wanted - lowest]),
  }
}

/**
 * Max blocks that are read again: those of about four hours, which is longer than a lock with its grace.
 * These blocks are soon read.
 */
const REREAD_MAX = 120

/**
 * Reads a watch again from its start if another daemon read it before, and the watch was paid or another
 * daemon is requested. A daemon can change what a transaction contains, and the hash of its block does not
 * show that.
 */
function again(watch: GroupWatch, resumed: Resumed, tip: Header): Resumed & Pick<ResumedWatch, 'rereadTo'> {
  const { height, startHeight, usedKeys } = resumed.cursor
  const isAsked = watch.isTakenOver === true && (watch.elsewhere === true || usedKeys.length > 0)
  if (!isAsked || height <= startHeight || tip.height - startHeight > REREAD_MAX)
    return { ...resumed, rereadTo: null }
  return {
    ...resumed,
    cursor: { ...resumed.cursor, height: startHeight, usedKeys: [] },
    rereadTo: { height, usedKeys },
  }
}

/** A tip that was seen expires after this time, so that a false tip cannot block honest daemons for long. */
export const SEEN_MS = 900_000

type Resumed = Pick<ResumedWatch, 'cursor' | 'isBehind'>

interface Circumstances {
  isPublic: boolean
  isTakenOver: boolean
  now: number
}

/**
 * Returns the cursor on the daemon's chain; null if the daemon is behind. It is behind if its tip is lower
 * than before, and that tip was seen before or is not remembered. A lower tip that was not seen before is a
 * reorganisation. A daemon that takes a watch over is asked even if it is behind, since the other daemon may
 * invent blocks for as long as it is asked.
 */
function onChain(
  cursor: Cursor,
  { tip, at }: Chain,
  { isPublic, isTakenOver, now }: Circumstances,
): Resumed | null {
  const isBehind = tip.height < cursor.tipHeight && isKnownBlock(cursor, tip) !== false
  if (isBehind && !isTakenOver && isWithin(SEEN_MS, cursor.tipAt, now)) return null
  if (at(cursor.height)?.hash === cursor.hash) return { cursor, isBehind }
  // A private chain has no regular time between blocks, so the watch restarts at its stored start.
  const isRegular = isPublic || cursor.startHeight > tip.height
  const height = isRegular ? trueStart(cursor, tip, now) : cursor.startHeight
  return { cursor: { ...cursor, height, usedKeys: [] }, isBehind }
}

/** A tenth of the average time between blocks: a chain grows this fast for at most `SLACK_BLOCKS` blocks. */
const BLOCK_MS_LEAST = 12_000
const SLACK_BLOCKS = 1000

const blocksIn = (ms: number): number => SLACK_BLOCKS + Math.max(0, ms) / BLOCK_MS_LEAST

/**
 * Corrects a watch that is further below the tip than the chain can have grown since it began, because a
 * daemon that knew only a shorter chain moved it there. If the daemon has the block of the watch, and the
 * chain cannot have grown so far since, the daemon's height is false instead, and the watch stays as it is.
 */
async function withTrueStart(
  daemon: Daemon,
  status: DaemonStatus,
  cursor: Cursor,
  now: number,
): Promise<Cursor> {
  const { height, hash, startedAt } = cursor
  if (!isMainnet(status) || status.height - height <= blocksIn(now - startedAt)) return cursor
  const [block] = await daemon.headers(height, height)
  if (block?.hash === hash && status.height - height > blocksIn(now - block.at)) return cursor
  const start = trueStart({ startHeight: status.height, startedAt }, status, now)
  return { ...cursor, height: start, hash: '', startHeight: start, usedKeys: [] }
}

/** Half of the average time between blocks. */
const BLOCK_MS_MIN = 60_000
const CONFIRMATIONS_USUAL = 10

/**
 * The height at which a watch restarts: a little below where the chain must have been when the watch began,
 * and never above the stored start, since a daemon may have invented the first blocks.
 */
function trueStart(
  { startHeight, startedAt }: Pick<Cursor, 'startHeight' | 'startedAt'>,
  tip: { height: number },
  now: number,
): number {
  const grown = Math.ceil(longestTimeSince(startedAt, now) / BLOCK_MS_MIN)
  return Math.max(0, Math.min(startHeight, tip.height - grown - CONFIRMATIONS_USUAL))
}
