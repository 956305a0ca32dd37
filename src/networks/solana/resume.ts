import { NetworkError, type Watch } from '../port.ts'
import { ask, type Node, type Query } from '../rpc/batch.ts'
import type { ChainConfig } from './chain-config.ts'
import { type Cursor, readCursor, type TrackedAccount } from './cursor.ts'
import { type Listing, listNewSignatures } from './new-signatures.ts'
import type { Tip } from './payments.ts'
import { health, slotOf } from './rpc-calls.ts'
import { type AccountStates, isIdle, stateHashes, stateQueries, trackedAccounts } from './tracked-accounts.ts'

/** A watch, with the new transactions of its accounts. */
export interface ResumedWatch {
  watch: Watch
  cursor: Cursor
  /** by account */
  stateHashes: Map<string, string | null>
  /** of the accounts that are not idle */
  listings: Map<TrackedAccount, Listing>
}

const tipQueries: [Query<null>, Query<number>, Query<number>] = [
  health,
  slotOf('confirmed'),
  slotOf('finalized'),
]

/** An endpoint may be several nodes, which are some slots apart. */
const BEHIND_SLOTS = 20

/**
 * Reads the tip, and lists the new transactions of all watches. Throws NetworkError for a node that is behind
 * what was seen before.
 */
export async function resumeWatches(
  node: Node,
  config: ChainConfig,
  watches: Watch[],
): Promise<{ tip: Tip; resumedWatches: ResumedWatch[] }> {
  const cursors = watches.map(({ address, source, cursor: stored }): Cursor => {
    const cursor = readCursor(stored)
    return {
      ...cursor,
      accounts: trackedAccounts(config, address, source, cursor.startSlot, cursor.accounts),
    }
  })
  const accounts = [...new Set(cursors.flatMap(cursor => cursor.accounts.map(({ account }) => account)))]
  const [, confirmed, finalized, ...states] = await ask<[null, number, number, ...AccountStates[]]>(node, [
    ...tipQueries,
    ...stateQueries(accounts),
  ])
  checkTip(confirmed, cursors)
  const hashes = stateHashes(accounts, states)
  const now = config.clock()
  const active = watches.map((watch, index) =>
    cursors[index]!.accounts.filter(
      tracked => !isIdle(watch, tracked, hashes.get(tracked.account) ?? null, now),
    ),
  )
  const reportedTo = Math.max(...cursors.map(cursor => cursor.reportedTo))
  const listings = await listNewSignatures(node, active.flat(), reportedTo)
  const resumedWatches = watches.map(
    (watch, index): ResumedWatch => ({
      watch,
      cursor: cursors[index]!,
      stateHashes: hashes,
      listings: new Map(active[index]!.map(tracked => [tracked, listings.get(tracked)!])),
    }),
  )
  return { tip: { confirmed, finalized }, resumedWatches }
}

function checkTip(confirmed: number, cursors: Cursor[]): void {
  const newest = Math.max(...cursors.map(({ tipSlot }) => tipSlot))
  if (confirmed < newest - BEHIND_SLOTS) {
    throw new NetworkError(`is behind: at slot ${confirmed}, but slot ${newest} was seen before`)
  }
}
