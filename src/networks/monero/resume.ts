import type { Asset } from '../../domain/asset.ts'
import { NetworkError, type Watch } from '../port.ts'
import { Reorganised } from '../rpc/reorg.ts'
import { type Cursor, isKnownBlock, readCursor } from './cursor.ts'
import type { Daemon, Header } from './daemon.ts'
import { type ScanKeys, scanKeysOf } from './subaddress.ts'
import { isMainnet, syncedStatus } from './verify.ts'

/** A watch, with the cursor that it continues from on the chain as it is now. */
export interface ResumedWatch extends ScanKeys {
  watch: Watch
  cursor: Cursor
  /** the daemon's newest block is below one that was seen before */
  isBehind: boolean
}

/** The newest blocks of one chain, without a gap. */
export interface Chain {
  tip: Header
  /** The headers above a height that was read. */
  above(height: number): Header[]
  at(height: number): Header | undefined
}

/** There is a block every two minutes, and a miner's clock may be wrong by two hours. */
const STALE_MS = 4 * 3_600_000

const BLOCK_MS = 120_000
/** A later report of a block expires, so that one daemon can't block all others by invented blocks. */
const SEEN_MS = 900_000
/** The blocks of a day: a daemon may have been this far behind when a watch began. */
const GROWTH_MIN = 720
const GROWTH_MAX = 2
/** How many blocks before its start a watch restarts if the chain grows faster than usual. */
const START_BLOCKS = 30
const START_GROWTH = 1.2

/** The highest block that has enough confirmations for an asset. */
export const settledHeight = ({ confirmations }: Asset, tip: { height: number }): number =>
  Math.max(0, tip.height - Math.max(confirmations, 1) + 1)

/**
 * Reads the headers from the lowest cursor to the tip. A watch whose block was replaced continues at its
 * start. Throws NetworkError for a daemon that is behind what was seen before.
 */
export async function resumeWatches(
  daemon: Daemon,
  watches: Watch[],
  now: number,
): Promise<{ chain: Chain; resumedWatches: ResumedWatch[] }> {
  const status = await syncedStatus(daemon)
  const cursors = watches.map(watch => readCursor(watch.cursor))
  if (isMainnet(status)) requirePlausible(status.height, cursors, now)
  const newest = await readChain(daemon, status, Math.min(...cursors.map(({ height }) => height)))
  if (isMainnet(status) && now - newest.tip.at > STALE_MS) {
    throw new NetworkError(`has not advanced past block ${status.height}`)
  }
  const resumedWatches = watches.map(
    (watch, index): ResumedWatch => ({
      watch,
      ...scanKeysOf(watch),
      ...onChain(cursors[index]!, newest, isMainnet(status), now),
    }),
  )
  const lowest = Math.min(...resumedWatches.map(({ cursor }) => cursor.height))
  const chain = newest.at(lowest) ? newest : await readChain(daemon, status, lowest)
  return { chain, resumedWatches }
}

async function readChain(
  daemon: Daemon,
  { height, hash }: { height: number; hash: string },
  from: number,
): Promise<Chain> {
  const lowest = Math.min(from, height)
  const headers = await daemon.headers(lowest, height)
  const tip = headers.at(-1)!
  if (tip.hash !== hash) throw new Reorganised()
  return {
    tip,
    above: below => headers.slice(below + 1 - lowest),
    at: wanted => (wanted < lowest ? undefined : headers[wanted - lowest]),
  }
}

/** Throws NetworkError for a height that the chain cannot have reached: reading up to it has no end. */
function requirePlausible(height: number, cursors: Cursor[], now: number): void {
  const isFar = cursors.some(({ startHeight, startedAt }) => {
    const grown = Math.max(0, now - startedAt) / BLOCK_MS
    return height - startHeight > GROWTH_MAX * grown + GROWTH_MIN
  })
  if (isFar) throw new NetworkError(`reports block ${height}, which the chain cannot have reached`)
}

/**
 * Throws NetworkError for a daemon that is behind: its chain is shorter than before, and its tip was seen
 * before or is not remembered. A shorter chain with another tip is a reorganisation.
 */
function onChain(
  cursor: Cursor,
  { tip, at }: Chain,
  isPublic: boolean,
  now: number,
): Pick<ResumedWatch, 'cursor' | 'isBehind'> {
  const isBehind = tip.height < cursor.tipHeight && isKnownBlock(cursor, tip) !== false
  if (isBehind && now - cursor.tipAt < SEEN_MS) {
    throw new NetworkError(`is behind: at block ${tip.height}, but block ${cursor.tipHeight} was seen before`)
  }
  if (at(cursor.height)?.hash === cursor.hash) return { cursor, isBehind }
  const height = isPublic ? startOnChain(cursor, tip, now) : cursor.startHeight
  return { cursor: { ...cursor, height, usedKeys: [] }, isBehind }
}

/** Where a watch restarts. Its first block may have been invented too, so the time counts as well. */
function startOnChain({ startHeight, startedAt }: Cursor, tip: Header, now: number): number {
  const grown = Math.ceil((START_GROWTH * Math.max(0, now - startedAt)) / BLOCK_MS)
  return Math.max(0, Math.min(startHeight, tip.height - grown - START_BLOCKS))
}
