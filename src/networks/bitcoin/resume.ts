import { NetworkError, type Watch } from '../port.ts'
import type { CoinName } from './coins.ts'
import { type Cursor, type Place, readCursor } from './cursor.ts'
import type { Node } from './node.ts'
import type { Reader, Tip } from './readers/reader.ts'
import { scriptOf } from './script.ts'

/** A watch with where it really goes on from, on the chain as it is now. */
export interface ResumedWatch {
  watch: Watch
  script: string
  cursor: Cursor
  /** the highest height that need not be read again */
  from: number
  /** whether the chain still holds the cursor's place */
  stands: boolean
}

/** Nobody replaces more blocks than a reward has to lie; deeper ones are a matter for people. */
const REPLACED_MAX = 100
/** So many blocks an endpoint may lose against what it told itself: it replaces them, and is not behind. */
const LOST_MAX = 10

/**
 * An endpoint that knows less than was seen before is behind, unless it told so much itself: then it has gone
 * back, as a node does when it replaces its newest blocks. Throws NetworkFault.
 */
export function checkTip(node: Node, tip: Tip, cursors: readonly Cursor[]): void {
  const newest = Math.max(...cursors.map(({ seen }) => seen.height))
  const wentBack = node.reached >= newest && tip.height >= node.reached - LOST_MAX
  if (tip.height < newest && !wentBack) {
    throw new NetworkError(`is behind: at block ${tip.height}, while block ${newest} was seen before`)
  }
  node.reached = Math.max(node.reached, tip.height)
}

/** Throws NetworkFault for an address that is none of this coin. */
export function scriptOfWatch(coin: CoinName, address: string): string {
  const script = scriptOf(coin, address)
  if (script === null) throw new NetworkError(`${address} is no address of ${coin}`)
  return script
}

/** Where each watch goes on: from its cursor where the chain still holds that, else from further below. */
export async function resumeWatches(
  reader: Reader,
  coin: CoinName,
  watches: readonly Watch[],
  tip: Tip,
): Promise<ResumedWatch[]> {
  const cursors = watches.map(watch => readCursor(watch.cursor))
  const nextState = cursors.filter(({ seen }) => !isSame(seen, tip))
  const places = await standing(reader, nextState)
  const gone = nextState.filter(cursor => places.get(cursor) === false)
  const anchors = await standing(
    reader,
    gone.flatMap(cursor => cursor.anchors),
  )
  return watches.map((watch, index) => {
    const cursor = cursors[index]!
    const stands = places.get(cursor) ?? true
    const anchor = cursor.anchors.findLast(place => anchors.get(place) === true)
    const below = anchor?.height ?? cursor.height - REPLACED_MAX
    return {
      watch,
      script: scriptOfWatch(coin, watch.address),
      cursor,
      from: stands ? cursor.height : Math.max(cursor.opened, Math.min(below, tip.height)),
      stands,
    }
  })
}

/** The same newest block is the same chain. */
const isSame = (seen: Place, tip: Tip): boolean =>
  seen.hash !== null && seen.height === tip.height && seen.hash === tip.hash

/** Whether the chain holds these blocks; where an endpoint cannot tell, or could not, it may not. */
async function standing<P extends Place>(reader: Reader, places: readonly P[]): Promise<Map<P, boolean>> {
  const heights = [...new Set(places.map(({ height }) => height))]
  const told = heights.length === 0 ? [] : await reader.hashes(heights)
  const hashes = new Map(heights.map((height, index) => [height, told?.[index] ?? null]))
  return new Map(places.map(place => [place, place.hash !== null && hashes.get(place.height) === place.hash]))
}
