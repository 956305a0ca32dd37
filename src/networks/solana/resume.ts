import { isWithin, longestTimeSince } from '../../domain/clock.ts'
import { asserted } from '../../domain/errors.ts'
import { readOrigin } from '../address-origin.ts'
import { Behind, type Watch } from '../port.ts'
import { ask, type Node, type Query } from '../rpc/batch.ts'
import type { ChainConfig } from './chain-config.ts'
import { type Cursor, readCursor, type TrackedAccount } from './cursor.ts'
import { type Listing, listNewSignatures } from './new-signatures.ts'
import type { Tip } from './payments.ts'
import { type Account, health, slotOf } from './rpc-calls.ts'
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
  /** the cursor before slots above the node's tip were corrected */
  stored: Cursor
  /** the hashes of the accounts' states, by account */
  stateHashes: Map<string, string | null>
  /** the balances, by account; missing if the node did not report the balance */
  balances: Map<string, bigint>
  /** the listings of accounts that are not idle */
  listings: Map<TrackedAccount, Listing>
}

const tipQueries: [Query<null>, Query<number>, Query<number>] = [
  health,
  slotOf('confirmed'),
  slotOf('finalized'),
]

/**
 * Reads the tip, and lists the new transactions of the watches. A watch that has recently seen a newer slot
 * is left out, since the node may be behind. Throws NetworkError when no watch is left.
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
  const known: Known = { states, hashes: stateHashes(accounts, states), now }
  const resumed = await listAll(node, current, known)
  const richer = resumed.filter(watch => richerAccounts(watch).size > 0)
  const restarted = richer.length > 0 ? await listAll(node, richer.map(restart), known) : []
  const again = new Map(richer.map((watch, index) => [watch, asserted(restarted[index], 'each was listed')]))
  return {
    tip: { confirmed, finalized },
    resumedWatches: resumed.map(watch => again.get(watch) ?? watch),
  }
}

/** The present states of accounts, as a node reports them. */
interface Known {
  states: Map<string, Account | null>
  hashes: Map<string, string | null>
  now: number
}

/** Lists the new transactions of each watched account whose state may have changed. */
async function listAll(
  node: Node,
  watches: readonly StoredWatch[],
  { states, hashes, now }: Known,
): Promise<ResumedWatch[]> {
  const resumed = watches.map(({ watch, cursor, stored }) => {
    const active = cursor.accounts.filter(
      tracked => !isIdle(watch, tracked, hashes.get(tracked.account) ?? null, now),
    )
    return { watch, cursor, stored, active }
  })
  const reportedTo = new Map(
    resumed.flatMap(({ active, cursor }) => active.map(tracked => [tracked, cursor.reportedTo] as const)),
  )
  const listings = await listNewSignatures(node, [...reportedTo.keys()], reportedTo)
  return resumed.map(
    ({ watch, cursor, stored, active }): ResumedWatch => ({
      watch,
      cursor,
      stored,
      stateHashes: hashes,
      balances: balancesOf(cursor.accounts, states),
      listings: new Map(
        active.map(tracked => [tracked, asserted(listings.get(tracked), 'each account was listed')]),
      ),
    }),
  )
}

/**
 * The accounts without new transactions that hold more than after their newest reported transaction. The
 * endpoint that reported the transactions may have reported smaller amounts.
 */
const richerAccounts = ({ listings, balances }: ResumedWatch): Set<TrackedAccount> =>
  new Set(
    [...listings].flatMap(([tracked, { listed, isComplete }]) => {
      const { account, balance, until, backlog } = tracked
      const isQuiet = isComplete && listed.length === 0 && until !== null && backlog.length === 0
      const held = balances.get(account)
      return isQuiet && balance !== null && held !== undefined && held > BigInt(balance) ? [tracked] : []
    }),
  )

/**
 * Moves the accounts that hold more than was reported back to their start, to be read again. Payments from
 * before the start do not count.
 */
function restart(resumed: ResumedWatch): StoredWatch {
  const { watch, cursor, stored } = resumed
  const richer = richerAccounts(resumed)
  const slot = readOrigin(watch.source).kind === 'seed' ? 0 : cursor.startSlot + 1
  const accounts = cursor.accounts.map(tracked =>
    richer.has(tracked) ? { ...tracked, until: null, slot, balance: null, idleSince: null } : tracked,
  )
  return { watch, cursor: { ...cursor, accounts }, stored }
}

type StoredWatch = Pick<ResumedWatch, 'watch' | 'cursor' | 'stored'>

function toStoredWatch(config: ChainConfig, watch: Watch): StoredWatch {
  const { address, source, cursor: json } = watch
  const read = readCursor(json)
  const accounts = trackedAccounts(config, address, source, read.startSlot, read.accounts)
  const cursor = { ...read, accounts }
  return { watch, cursor, stored: cursor }
}

/** A lower slot within this distance is tolerated, since a URL may stand for several nodes. */
const BEHIND_SLOTS = 20
/** True for a slot that is false, or that a node with this tip does not have yet. */
export const isAbove = (slot: number, confirmed: number): boolean => slot > confirmed + BEHIND_SLOTS
/** A slot that was seen expires after this time, so that a false slot cannot block honest nodes for long. */
const SEEN_MS = 900_000

/** Leaves out each watch that has seen a newer slot. Throws NetworkError when no watch is left. */
function requireCurrent(stored: StoredWatch[], confirmed: number, now: number): StoredWatch[] {
  const current = stored.filter(
    ({ cursor: { tipSlot, tipAt } }) => confirmed >= tipSlot - BEHIND_SLOTS || !isWithin(SEEN_MS, tipAt, now),
  )
  if (current.length === 0 && stored.length > 0) {
    const newest = Math.max(...stored.map(({ cursor }) => cursor.tipSlot))
    throw new Behind(`is behind: at slot ${confirmed}, but slot ${newest} was seen before`)
  }
  return current.map(one => ({ ...one, cursor: withTrueSlots(one.cursor, confirmed, now) }))
}

/** Half of the average time between slots. */
const SLOT_MS_MIN = 200

/**
 * Replaces the slots of a cursor that are above the tip, since a node reported them falsely, by a slot at or
 * below the start of the watch. This counts for one scan only, because the tip may be false instead.
 */
function withTrueSlots(cursor: Cursor, confirmed: number, now: number): Cursor {
  const grown = Math.ceil(longestTimeSince(cursor.startedAt, now) / SLOT_MS_MIN) + BEHIND_SLOTS
  const startSlot = isAbove(cursor.startSlot, confirmed) ? Math.max(0, confirmed - grown) : cursor.startSlot
  return {
    ...cursor,
    startSlot,
    finalTo: isAbove(cursor.finalTo, confirmed) ? startSlot : cursor.finalTo,
    reportedTo: isAbove(cursor.reportedTo, confirmed) ? 0 : cursor.reportedTo,
    accounts: cursor.accounts.map(tracked =>
      isAbove(tracked.slot, confirmed)
        ? { ...tracked, slot: startSlot, balance: null, backlog: [] }
        : tracked,
    ),
  }
}
