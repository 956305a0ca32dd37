import { readOrigin } from '../address-origin.ts'
import type { Watch, WatchResult } from '../port.ts'
import type { Node } from '../rpc/batch.ts'
import { type ChainConfig, mintsOf } from './chain-config.ts'
import { type Cursor, type TrackedAccount, writeCursor } from './cursor.ts'
import { type Listing, nextBacklog } from './new-signatures.ts'
import { isSettled, outflowsOf, type Tip, toDetectedPayments } from './payments.ts'
import { type ResumedWatch, resumeWatches } from './resume.ts'
import type { ListedSignature } from './rpc-calls.ts'
import { readTransactions, type Transaction } from './transactions.ts'

/** A watch, with the transactions that this scan reads. */
interface ScannedWatch extends ResumedWatch {
  /** the oldest first */
  entries: ListedSignature[]
  /** whether there are more new transactions than this scan reads */
  isCut: boolean
}

/** By signature; null for a transaction that cannot be read. */
type Transactions = Map<string, Transaction | null>

/** The most transactions of one scan, shared by the addresses that have new ones. */
const READ_MAX = 2000
const READ_MIN = 25

/**
 * Scans many addresses with one node. Each watch continues at the newest signature that is final and was
 * reported. It does not rely on the height of the node: a node may know a block before it lists the
 * transactions of that block. Throws NetworkError.
 */
export async function scan(node: Node, config: ChainConfig, watches: Watch[]): Promise<WatchResult[]> {
  const { tip, resumedWatches } = await resumeWatches(node, config, watches)
  const active = resumedWatches.filter(hasNew)
  const share = Math.max(READ_MIN, Math.floor(READ_MAX / Math.max(1, active.length)))
  const scanned = resumedWatches.map(resumed => chooseEntries(resumed, share))
  const transactions = await readTransactions(
    node,
    scanned.flatMap(({ entries }) => entries.filter(({ hasFailed }) => !hasFailed)),
    { owners: new Set(active.map(({ watch }) => watch.address)), mints: new Set(mintsOf(config)) },
  )
  return scanned.map(watch => toWatchResult(config, watch, transactions, tip))
}

const hasNew = ({ listings }: ResumedWatch): boolean =>
  [...listings.values()].some(({ listed }) => listed.length > 0)

/** The oldest come first, since a watch continues after what it reported. An incomplete list has to wait. */
function chooseEntries(resumed: ResumedWatch, share: number): ScannedWatch {
  const listings = [...resumed.listings.values()]
  if (!listings.every(({ isComplete }) => isComplete)) return { ...resumed, entries: [], isCut: false }
  const bySignature = new Map(
    listings.flatMap(({ listed }) => listed.map(one => [one.signature, one] as const).reverse()),
  )
  const sorted = [...bySignature.values()].toSorted((a, b) => a.slot - b.slot)
  return { ...resumed, entries: sorted.slice(0, share), isCut: sorted.length > share }
}

function toWatchResult(
  config: ChainConfig,
  scanned: ScannedWatch,
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
    // With a backlog the newest transactions are not read, so a missing payment may still exist.
    completeFrom: hasBacklog(scanned) ? Math.max(tip.confirmed, cursor.reportedTo) + 1 : cursor.finalTo + 1,
    cursor: writeCursor(nextCursor(config, scanned, transactions, tip)),
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
 * The transactions that later scans skip: up to the first that may still change. A transaction that cannot be
 * read stays unsettled, so that a newer version of this program can read it. It is skipped only where it
 * would block a long list.
 */
function settledEntries(
  config: ChainConfig,
  scanned: ScannedWatch,
  transactions: Transactions,
  tip: Tip,
): ListedSignature[] {
  const { entries, isCut } = scanned
  const skipsUnreadable = isCut || hasBacklog(scanned)
  const end = entries.findIndex(
    one => !isSettled(config, one, tip) || (transactions.get(one.signature) === null && !skipsUnreadable),
  )
  return end === -1 ? entries : entries.slice(0, end)
}

function nextCursor(
  config: ChainConfig,
  scanned: ScannedWatch,
  transactions: Transactions,
  tip: Tip,
): Cursor {
  const { cursor, listings, entries, isCut } = scanned
  const settled = settledEntries(config, scanned, transactions, tip)
  const isComplete = [...listings.values()].every(listing => listing.isComplete)
  const isAllReported = isComplete && !isCut && settled.length === entries.length
  const signatures = new Set(settled.map(({ signature }) => signature))
  return {
    startSlot: cursor.startSlot,
    finalTo: Math.max(cursor.finalTo, settled.at(-1)?.slot ?? 0),
    reportedTo: Math.max(cursor.reportedTo, entries.at(-1)?.slot ?? 0),
    tipSlot: Math.max(cursor.tipSlot, tip.confirmed),
    accounts: cursor.accounts.map(tracked => {
      const listing = listings.get(tracked)
      if (!listing) return tracked
      const stateHash = scanned.stateHashes.get(tracked.account) ?? null
      const isUnchanged = stateHash !== null && stateHash === tracked.stateHash
      return {
        ...advance(tracked, listing, signatures),
        backlog: nextBacklog(tracked, listing, isAllReported),
        stateHash,
        idleSince: isAllReported && tracked.backlog.length === 0 && isUnchanged ? config.clock() : null,
      }
    }),
  }
}

/** Moves an account past its newest settled transaction, as long as all older ones are settled too. */
function advance(tracked: TrackedAccount, { listed }: Listing, settled: Set<string>): TrackedAccount {
  const lastUnsettled = listed.findLastIndex(({ signature }) => !settled.has(signature))
  const newest = listed[lastUnsettled + 1]
  return newest ? { ...tracked, until: newest.signature, slot: newest.slot } : tracked
}
