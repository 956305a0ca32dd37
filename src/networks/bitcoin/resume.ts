import { NetworkError, type Watch } from '../port.ts'
import type { CoinName } from './coins.ts'
import { type BlockRef, type Cursor, readCursor } from './cursor.ts'
import type { BitcoinNode } from './endpoints.ts'
import type { Reader, Tip } from './readers/reader.ts'
import { scriptOf } from './script.ts'

/** A watch, with the height that it continues from on the chain as it is now. */
export interface ResumedWatch {
  watch: Watch
  script: string
  cursor: Cursor
  /** blocks above this height are read again */
  from: number
  /** whether the chain still contains the cursor's block */
  isOnChain: boolean
}

/** A reorganisation never replaces more blocks than a mining reward takes to mature. */
const REPLACED_MAX = 100
/** An endpoint that loses this many of its own blocks replaces them; it is not behind. */
const LOST_MAX = 10

/**
 * Checks that an endpoint knows the blocks that were seen before. One that reported such a block itself may
 * have gone back since, as a node does while it replaces its newest blocks. Throws NetworkError.
 */
export function checkTip(node: BitcoinNode, tip: Tip, cursors: readonly Cursor[]): void {
  const newest = Math.max(...cursors.map(cursor => cursor.tip.height))
  const wentBack = node.highestTip >= newest && tip.height >= node.highestTip - LOST_MAX
  if (tip.height < newest && !wentBack) {
    throw new NetworkError(`is behind: at block ${tip.height}, but block ${newest} was seen before`)
  }
  node.highestTip = Math.max(node.highestTip, tip.height)
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
  watches: readonly Watch[],
  tip: Tip,
): Promise<ResumedWatch[]> {
  const cursors = watches.map(watch => readCursor(watch.cursor))
  const moved = cursors.filter(cursor => !isSame(cursor.tip, tip)).map(({ block }) => block)
  const blocksOnChain = await findOnChain(reader, moved)
  const replaced = cursors.filter(({ block }) => blocksOnChain.get(block) === false)
  const anchorsOnChain = await findOnChain(
    reader,
    replaced.flatMap(({ anchors }) => anchors),
  )
  return watches.map((watch, index) => {
    const cursor = cursors[index]!
    const isOnChain = blocksOnChain.get(cursor.block) ?? true
    const anchor = cursor.anchors.findLast(block => anchorsOnChain.get(block) === true)
    const below = anchor?.height ?? cursor.block.height - REPLACED_MAX
    return {
      watch,
      script: scriptOfWatch(coin, watch.address),
      cursor,
      from: isOnChain ? cursor.block.height : Math.max(cursor.startHeight, Math.min(below, tip.height)),
      isOnChain,
    }
  })
}

/** Two chains with the same newest block are the same chain. */
const isSame = (before: BlockRef, tip: Tip): boolean =>
  before.hash !== null && before.height === tip.height && before.hash === tip.hash

/** Whether the chain contains each block. False also where the endpoint does not report the hash. */
async function findOnChain(reader: Reader, blocks: readonly BlockRef[]): Promise<Map<BlockRef, boolean>> {
  const heights = [...new Set(blocks.map(({ height }) => height))]
  const reported = heights.length === 0 ? [] : await reader.hashes(heights)
  const hashes = new Map(heights.map((height, index) => [height, reported?.[index] ?? null]))
  return new Map(blocks.map(block => [block, block.hash !== null && hashes.get(block.height) === block.hash]))
}
