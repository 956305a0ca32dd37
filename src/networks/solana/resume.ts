import { asserted } from '../../domain/errors.ts'
import { Behind, type Watch } from '../port.ts'
import { ask, type Node, type Query } from '../rpc/batch.ts'
import type { ChainConfig } from './chain-config.ts'
import { type Cursor, readCursor, type TrackedAccount } from './cursor.ts'
import { type Listing, listNewSignatures } from './new-signatures.ts'
import type { Tip } from './payments.ts'
import { health, slotOf } from './rpc-calls.ts'
import {
  type AccountStates,
  balancesOf,
  isIdle,
  stateHashes,
  stateQueries,
  statesByAccount,
  trackedAccounts,
} from './tracked-accounts.ts'

/** A watch, with the new transactions of its accounts. */
export interface ResumedWatch {
  watch: Watch
  cursor: Cursor
  /** by account */
  stateHashes: Map<string, string | null>
  /** by account; missing where the node did not report it */
  balances: Map<string, bigint>
  /** of the accounts that are not idle */
  listings: Map<TrackedAccount, Listing>
}

const tipQueries: [Query<null>, Query<number>, Query<number>] = [
  health,
  slotOf('confirmed'),
  slotOf('finalized'),
]

/**
 * Reads the tip, and lists the new transactions of the watches. A watch with a newer slot, seen recently,
 * is left out, since the node may be behind. Throws NetworkError when none is left.
 */
export async function resumeWatches(
  node: Node,
  config: ChainConfig,
  watches: Watch[],
): Promise<{ tip: Tip; resumedWatches: ResumedWatch[] }> {
  const now = config.clock()
  const stored = watches.map(watch => toStoredWatch(config, watch))
  const accounts = [...new Set(stored.flatMap(({ cursor }) => cursor.accounts.map(({ account }) => account)))]
  const [, confirmed, finalized, ...answers] = await ask<[null, number, number, ...AccountStates[]]>(node, [
    ...tipQueries,
    ...stateQueries(accounts),
  ])
  const current = requireCurrent(stored, confirmed, now)
  const states = statesByAccount(accounts, answers)
  const hashes = stateHashes(accounts, states)
  const resumed = current.map(({ watch, cursor }) => {
    const active = cursor.accounts.filter(
      tracked => !isIdle(watch, tracked, hashes.get(tracked.account) ?? null, now),
    )
    return { watch, cursor, active }
  })
  const reportedTo = new Map(
    resumed.flatMap(({ active, cursor }) => active.map(tracked => [tracked, cursor.reportedTo] as const)),
  )
  const listings = await listNewSignatures(node, [...reportedTo.keys()], reportedTo)
  const resumedWatches = resumed.map(
    ({ watch, cursor, active }): ResumedWatch => ({
      watch,
      cursor,
      stateHashes: hashes,
      balances: balancesOf(cursor.accounts, states),
      listings: new Map(
        active.map(tracked => [tracked, asserted(listings.get(tracked), 'each account was listed')]),
      ),
    }),
  )
  return { tip: { confirmed, finalized }, resumedWatches }
}

interface StoredWatch {
  watch: Watch
  cursor: Cursor
}

function toStoredWatch(config: ChainConfig, watch: Watch): StoredWatch {
  const { address, source, cursor: json } = watch
  const cursor = readCursor(json)
  const accounts = trackedAccounts(config, address, source, cursor.startSlot, cursor.accounts)
  return { watch, cursor: { ...cursor, accounts } }
}

/** An endpoint may be several nodes, which are some slots apart. */
const BEHIND_SLOTS = 20
/** A slot expires, so that one endpoint cannot block all others by a false one. */
const SEEN_MS = 900_000

/** The slot of one watch says nothing about another. */
function requireCurrent(stored: StoredWatch[], confirmed: number, now: number): StoredWatch[] {
  const current = stored.filter(
    ({ cursor: { tipSlot, tipAt } }) => confirmed >= tipSlot - BEHIND_SLOTS || now - tipAt >= SEEN_MS,
  )
  if (current.length === 0 && stored.length > 0) {
    const newest = Math.max(...stored.map(({ cursor }) => cursor.tipSlot))
    throw new Behind(`is behind: at slot ${confirmed}, but slot ${newest} was seen before`)
  }
  return current.map(one => ({ ...one, cursor: withTrueSlots(one.cursor, confirmed, now) }))
}

/** The average is twice this. */
const SLOT_MS_MIN = 200

/**
 * No slot of a cursor can be above the tip of a node that follows its chain: one node reported a false slot.
 * What it said is replaced by a slot at or below the start of the watch.
 */
function withTrueSlots(cursor: Cursor, confirmed: number, now: number): Cursor {
  const highest = confirmed + BEHIND_SLOTS
  const grown = Math.ceil(Math.max(0, now - cursor.startedAt) / SLOT_MS_MIN) + BEHIND_SLOTS
  const startSlot = cursor.startSlot <= highest ? cursor.startSlot : Math.max(0, confirmed - grown)
  return {
    ...cursor,
    startSlot,
    finalTo: cursor.finalTo <= highest ? cursor.finalTo : startSlot,
    reportedTo: cursor.reportedTo <= highest ? cursor.reportedTo : 0,
    accounts: cursor.accounts.map(tracked =>
      tracked.slot <= highest ? tracked : { ...tracked, slot: startSlot, balance: null, backlog: [] },
    ),
  }
}
