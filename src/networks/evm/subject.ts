import { NetworkFault, type Watch } from '../port.ts'
import { type Cursor, readCursor } from './cursor.ts'
import type { Ground } from './ground.ts'
import { ask, type Header, headerAt } from './questions.ts'
import type { Node } from './rpc.ts'
import { isStale, type Tip, tipQuestions } from './tip.ts'

/** A watch with where it really goes on from, on the chain as it is now. */
export interface Subject {
  watch: Watch
  /** in lower case */
  address: string
  cursor: Cursor
}

/**
 * Reads the tip, and whether the chain still holds what the cursors rest on. One whose block has gone begins
 * anew at its opening, where its address was fresh and empty. Throws NetworkFault for a node that knows less
 * than was known.
 */
export async function standUp(
  node: Node,
  ground: Ground,
  watches: Watch[],
): Promise<{ tip: Tip; subjects: Subject[] }> {
  const cursors = watches.map(watch => readCursor(watch.cursor))
  const heights = cursors.flatMap(({ height, changes }) => [height, ...changes.map(change => change.height)])
  const wanted = [...new Set(heights)]
  const [head, finalized, ...headers] = await ask<[Header, Header | null, ...(Header | null)[]]>(node, [
    ...tipQuestions,
    ...wanted.map(headerAt),
  ])
  const tip = { head, finalized }
  const newest = Math.max(...cursors.map(({ seen }) => seen))
  if (head.height < newest) {
    throw new NetworkFault(`is behind: at block ${head.height}, while block ${newest} was seen before`)
  }
  if (isStale(ground.chainId, tip, ground.clock())) {
    throw new NetworkFault(`stands still at block ${head.height}`)
  }
  const hashes = new Map(wanted.map((height, index) => [height, headers[index]?.hash]))
  const subjects = watches.map((watch, index) => ({
    watch,
    address: watch.address.toLowerCase(),
    cursor: standing(cursors[index]!, hashes),
  }))
  return { tip, subjects }
}

function standing(cursor: Cursor, hashes: Map<number, string | undefined>): Cursor {
  if (hashes.get(cursor.height) !== cursor.hash) {
    return { ...cursor, height: cursor.opened, hash: '', balance: 0n, changes: [] }
  }
  const changes = cursor.changes.filter(({ height, hash }) => hashes.get(height) === hash)
  return { ...cursor, changes }
}
