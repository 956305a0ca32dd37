import { asserted } from '../../domain/errors.ts'
import { Behind, NetworkError } from '../port.ts'
import type { GroupWatch } from '../rpc/rotation.ts'
import { type CoinName, coins } from './coins.ts'
import { type BlockRef, type Cursor, readCursor, UNSURE_BLOCKS } from './cursor.ts'
import type { BitcoinNode } from './endpoints.ts'
import type { Reader, Tip } from './readers/reader.ts'
import { scriptOf } from './script.ts'

/** A watch, with the height that it continues from on the chain as it is now. */
export interface ResumedWatch {
  watch: GroupWatch
  script: string
  cursor: Cursor
  /** blocks above this height are read again */
  from: number
  /** a node of whole blocks reads those above this height too; not above `from` */
  blocksFrom: number
  /** the highest block in which a payment was reported; not below `from` */
  reportedTo: number
  /** whether the chain still contains the cursor's block */
  isOnChain: boolean
}

/** A reorganisation never replaces more blocks than a mining reward takes to mature. */
const REPLACED_MAX = 100
/** An endpoint that loses this many of its own blocks replaces them; it is not behind. */
const LOST_MAX = 10
/** A height expires, so that one endpoint cannot block all others by a false one. */
export const SEEN_MS = 900_000
/** How much faster than usual a chain may grow. */
const GROWTH_MAX = 2

/**
 * Leaves out the watches whose newest block is above the endpoint's, since the endpoint may be behind. The
 * cursor of one watch says nothing about another. An endpoint that reported such a block itself may have gone
 * back since, as a node does while it replaces its newest blocks. Throws NetworkError when none is left.
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
    return tip.height >= newest.height || wentBack || now - tipAt >= SEEN_MS
  })
  if (current.length > 0 || watches.length === 0) return current
  const newest = Math.max(...[...seen.values()].map(cursor => cursor.tip.height))
  throw new Behind(`is behind: at block ${tip.height}, but block ${newest} was seen before`)
}

/** The output script that pays an address. Throws NetworkError for an invalid address. */
export function scriptOfWatch(coin: CoinName, address: string): string {
  const script = scriptOf(coin, address)
  if (script === null) throw new NetworkError(`${address} is not an address of ${coin}`)
  return script
}

/** Continues each watch at its cursor, or at a lower block where the chain has replaced the cursor's. */
export async function resumeWatches(
  reader: Reader,
  coin: CoinName,
  watches: readonly GroupWatch[],
  tip: Tip,
  now: number,
): Promise<ResumedWatch[]> {
  const cursors = watches.map(watch => withTrueStart(readCursor(watch.cursor), coin, tip, now))
  const moved = cursors.filter(cursor => !isSame(cursor.tip, tip)).map(({ block }) => block)
  const blocksOnChain = await findOnChain(reader, moved)
  const replaced = cursors.filter(({ block }) => isLost(blocksOnChain.get(block)))
  const anchorsOnChain = await findOnChain(
    reader,
    replaced.flatMap(({ anchors }) => anchors),
  )
  return watches.map((watch, index): ResumedWatch => {
    const stored = asserted(cursors[index], 'each watch has a cursor')
    const place = blocksOnChain.get(stored.block)
    const isOnChain = !isLost(place)
    const anchor = stored.anchors.findLast(block => anchorsOnChain.get(block) === 'here')
    const isInvented = place === 'replaced' && !anchor
    const cursor = isInvented ? startedBelow(stored, trueStart(stored, coin, tip, now)) : stored
    const below = anchor?.height ?? heightBelow(cursor)
    const from = isOnChain ? cursor.block.height : Math.max(cursor.startHeight, Math.min(below, tip.height))
    // An endpoint can be some blocks behind, but no block is this far above a chain that is followed.
    const counted = isOnChain ? cursor.counted : recounted(cursor, from)
    const listed = cursor.listed.filter(({ height }) => height <= tip.height + REPLACED_MAX)
    const reportedTo = Math.max(from, ...listed.map(({ height }) => height))
    const script = scriptOfWatch(coin, watch.address)
    const blocksFrom = blocksReadTo(cursor, from, watch.isTakenOver)
    return { watch, script, cursor: { ...cursor, counted, listed }, from, blocksFrom, reportedTo, isOnChain }
  })
}

/** What was counted up to a lower block, where the watch continues. */
const recounted = ({ counted, startHeight }: Cursor, from: number): Cursor['counted'] =>
  counted && { ...counted, sum: from === startHeight ? '0' : null }

/** The watch from its beginning, since an endpoint says that more arrived than was counted. */
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
 * Up to where whole blocks were read. Above, only an index was asked, which may have left something out. A
 * cursor of an older version does not say it, and an endpoint that continues without it has read them.
 */
const blocksReadTo = ({ blocksTo, startHeight }: Cursor, from: number, isTakenOver = false): number =>
  Math.min(from, Math.max(startHeight, blocksTo ?? (isTakenOver ? startHeight : from)))

/** Where hashes are known but none is on the chain, an endpoint invented blocks: nothing of them counts. */
const heightBelow = ({ block, startHeight }: Cursor): number =>
  block.hash === null ? block.height - REPLACED_MAX : startHeight

/**
 * A watch cannot begin above the tip of an endpoint that follows its chain: the first one reported a false
 * height.
 */
function withTrueStart(cursor: Cursor, coin: CoinName, tip: Tip, now: number): Cursor {
  if (cursor.startHeight <= tip.height) return cursor
  const lower = startedBelow(cursor, trueStart(cursor, coin, tip, now))
  return { ...lower, block: { height: lower.startHeight, hash: null }, anchors: [] }
}

/**
 * An endpoint may have invented the block that a watch began with. So a watch of which no block is on the
 * chain begins no later than where the chain must have been at that time, or a little below.
 */
function trueStart({ startHeight, startedAt }: Cursor, coin: CoinName, tip: Tip, now: number): number {
  const grown = Math.ceil((GROWTH_MAX * Math.max(0, now - startedAt)) / coins[coin].blockTimeMs)
  return Math.max(0, Math.min(startHeight, tip.height - UNSURE_BLOCKS - grown))
}

const startedBelow = (cursor: Cursor, startHeight: number): Cursor => ({
  ...cursor,
  startHeight,
  listedAbove: Math.min(cursor.listedAbove, startHeight),
})

/** Two chains with the same newest block are the same chain. */
const isSame = (before: BlockRef, tip: Tip): boolean =>
  before.hash !== null && before.height === tip.height && before.hash === tip.hash

/** Unknown where the endpoint does not report the hash. */
type Place = 'here' | 'replaced' | 'unknown'

const isLost = (place: Place | undefined): boolean => place === 'replaced' || place === 'unknown'

/** Whether the chain contains each block. */
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
