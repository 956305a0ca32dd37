import { isWithin } from '../../domain/clock.ts'
import { asserted } from '../../domain/errors.ts'
import { readOrigin } from '../address-origin.ts'
import type { WatchResult } from '../port.ts'
import type { ChainConfig } from './chain-config.ts'
import { type Continuity, continuityOf } from './continuity.ts'
import { type Cursor, type TrackedAccount, writeCursor } from './cursor.ts'
import { type Listing, nextBacklog } from './new-signatures.ts'
import { isSettled, outflowsOf, type Tip, toDetectedPayments } from './payments.ts'
import { isAbove, type ResumedWatch } from './resume.ts'
import type { ListedSignature } from './rpc-calls.ts'
import type { Transaction } from './transactions.ts'

/** A watch, with the transactions that this scan reads. */
export interface ScannedWatch extends ResumedWatch {
  /** the transactions that this scan reads, the oldest first */
  entries: ListedSignature[]
  /** true if there are more new transactions than this scan reads */
  isCut: boolean
}

/** A watch whose balances were compared with its transactions. */
interface CheckedWatch extends ScannedWatch {
  continuities: Map<TrackedAccount, Continuity>
  /** the transactions before which another transaction is missing */
  gaps: Set<string>
  /** true if the balances show that the node left a transaction out */
  hasOmission: boolean
  /** true if the node left a transaction out, and the watch still waits for a node that lists it */
  isDoubted: boolean
}

/** Transactions by signature; null for a transaction that cannot be read. */
type Transactions = Map<string, Transaction | null>

/** After this time, a transaction that no node lists may have been pruned from all nodes. */
const DOUBT_MS = 6 * 3_600_000
const TIP_MS = 900_000

/**
 * Compares the balances of each account with the transactions that the node lists. `starts` has the accounts
 * for which the node knows another balance than the stored one.
 */
export function toCheckedWatch(
  scanned: ScannedWatch,
  transactions: Transactions,
  starts: ReadonlyMap<TrackedAccount, bigint>,
  now: number,
): CheckedWatch {
  const read = new Set(scanned.entries.map(({ signature }) => signature))
  const continuities = new Map(
    [...scanned.listings].map(([tracked, listing]) => {
      const { account, balance } = tracked
      const start = starts.get(tracked) ?? (balance === null ? null : BigInt(balance))
      return [tracked, continuityOf({ account, start }, listing, read, transactions)]
    }),
  )
  const gaps = new Set([...continuities.values()].flatMap(({ gap }) => (gap === null ? [] : [gap])))
  const isSilent = [...scanned.listings].some(
    ([tracked, { listed, isComplete }]) =>
      isComplete &&
      listed.length === 0 &&
      hasMore(scanned, tracked, asserted(continuities.get(tracked), 'each account has its continuity')),
  )
  const hasOmission = gaps.size > 0 || isSilent
  const { doubtedSince } = scanned.cursor
  const isDoubted = hasOmission && (doubtedSince === null || isWithin(DOUBT_MS, doubtedSince, now))
  return { ...scanned, continuities, gaps, hasOmission, isDoubted }
}

/** True if an account holds more than the balance after its last transaction. */
function hasMore({ balances }: ResumedWatch, { account }: TrackedAccount, { end }: Continuity): boolean {
  const balance = balances.get(account)
  return balance !== undefined && end !== null && balance > end
}

/** True if an account holds the balance after its last transaction, or if one of the two is unknown. */
function isExplained({ balances }: ResumedWatch, { account }: TrackedAccount, { end }: Continuity): boolean {
  const balance = balances.get(account)
  return balance === undefined || end === null || balance === end
}

export function toWatchResult(
  config: ChainConfig,
  scanned: CheckedWatch,
  transactions: Transactions,
  tip: Tip,
): WatchResult {
  const { watch, cursor, entries } = scanned
  const read = entries.flatMap(listed => {
    const transaction = transactions.get(listed.signature)
    return transaction ? [{ listed, transaction }] : []
  })
  return {
    attemptId: watch.attemptId,
    detectedPayments: read.flatMap(({ listed, transaction }) =>
      toDetectedPayments(config, watch, listed, transaction, tip),
    ),
    // With a backlog, the newest transactions were not read, so a missing payment may still exist.
    completeFrom:
      hasBacklog(scanned) || scanned.isDoubted
        ? Math.max(tip.confirmed, cursor.reportedTo) + 1
        : cursor.finalTo + 1,
    completeTo: tip.confirmed,
    cursor: writeCursor(nextCursor(config, scanned, transactions, tip)),
    isPartial: scanned.isCut || hasBacklog(scanned),
    ...(readOrigin(watch.source).kind === 'seed' && {
      outflows: read.flatMap(({ listed, transaction }) =>
        outflowsOf(config, watch, listed, transaction, tip),
      ),
    }),
  }
}

const hasBacklog = ({ listings }: ResumedWatch): boolean =>
  [...listings].some(([{ backlog }, { isComplete }]) => !isComplete || backlog.length > 0)

/**
 * The transactions that later scans skip: all before the slot of the first transaction that may still change.
 * An unreadable transaction stays unsettled, so that a later release can read it, unless it would block a
 * long list.
 */
function settledEntries(
  config: ChainConfig,
  scanned: CheckedWatch,
  transactions: Transactions,
  tip: Tip,
): ListedSignature[] {
  const { entries, isCut, gaps, isDoubted } = scanned
  const skipsUnreadable = isCut || hasBacklog(scanned)
  const end = entries.findIndex(
    one =>
      !isSettled(config, one, tip) ||
      (transactions.get(one.signature) === null && !skipsUnreadable) ||
      (isDoubted && gaps.has(one.signature)),
  )
  if (end === -1) return entries
  const { slot } = asserted(entries[end], 'the entry was found')
  return entries.slice(0, end).filter(one => one.slot < slot)
}

function nextCursor(
  config: ChainConfig,
  scanned: CheckedWatch,
  transactions: Transactions,
  tip: Tip,
): Cursor {
  const { cursor, stored, listings, entries, isCut, continuities, hasOmission } = scanned
  const now = config.clock()
  const settled = settledEntries(config, scanned, transactions, tip)
  const isComplete = [...listings.values()].every(listing => listing.isComplete)
  const isAllReported = isComplete && !isCut && settled.length === entries.length
  const signatures = new Set(settled.map(({ signature }) => signature))
  return {
    startSlot: stored.startSlot,
    startedAt: cursor.startedAt,
    finalTo: settled.length === 0 ? stored.finalTo : Math.max(cursor.finalTo, settled.at(-1)?.slot ?? 0),
    reportedTo:
      entries.length === 0 ? stored.reportedTo : Math.max(cursor.reportedTo, entries.at(-1)?.slot ?? 0),
    ...nextTip(cursor, tip, now),
    doubtedSince: hasOmission ? (cursor.doubtedSince ?? now) : null,
    accounts: cursor.accounts.map((tracked, index) => {
      const listing = listings.get(tracked)
      const before = asserted(stored.accounts[index], 'each account was stored')
      if (!listing) return before
      const stateHash = scanned.stateHashes.get(tracked.account) ?? null
      const continuity = asserted(continuities.get(tracked), 'each account has its continuity')
      const isUnchanged =
        stateHash !== null && stateHash === tracked.stateHash && isExplained(scanned, tracked, continuity)
      const next = advance(tracked, listing, signatures, continuity)
      // If the slot was corrected and nothing was found from there, the node's tip may be false, and the slot
      // true.
      const isKept = next === tracked && isAbove(before.slot, tip.confirmed)
      return {
        ...(isKept ? before : { ...next, backlog: nextBacklog(tracked, listing, isAllReported) }),
        stateHash,
        idleSince: isAllReported && tracked.backlog.length === 0 && isUnchanged ? now : null,
      }
    }),
  }
}

/**
 * Returns the tip for the next cursor. A recent higher slot is kept, since a lower one may come from another
 * node behind the same URL.
 */
function nextTip({ tipSlot, tipAt }: Cursor, { confirmed }: Tip, now: number) {
  const isRecent = isWithin(TIP_MS, tipAt, now)
  return confirmed < tipSlot && isRecent ? { tipSlot, tipAt } : { tipSlot: confirmed, tipAt: now }
}

/** Moves an account up to the newest transaction that is settled together with all older ones. */
function advance(
  tracked: TrackedAccount,
  { listed }: Listing,
  settled: Set<string>,
  { after }: Continuity,
): TrackedAccount {
  const lastUnsettled = listed.findLastIndex(({ signature }) => !settled.has(signature))
  const newest = listed[lastUnsettled + 1]
  if (!newest) return tracked
  const balance = after.get(newest.signature)?.toString() ?? null
  return { ...tracked, until: newest.signature, slot: newest.slot, balance }
}
