import { Undecided, type Watch, type WatchResult } from '../port.ts'
import type { Node } from '../rpc/batch.ts'
import type { Doubts } from '../rpc/doubts.ts'
import { type ChainConfig, mintsOf } from './chain-config.ts'
import { ownStarts } from './own-starts.ts'
import { type ScannedWatch, toCheckedWatch, toWatchResult } from './results.ts'
import { type ResumedWatch, resumeWatches } from './resume.ts'
import type { ListedSignature } from './rpc-calls.ts'
import { readTransactions } from './transactions.ts'

/** A scan reads at most this many transactions. The addresses with new transactions share them. */
const READ_MAX = 2000
const READ_MIN = 25

/**
 * Scans many addresses with one node. Each watch continues at the newest signature that is final and was
 * reported, whatever the node's height is: a node may know a block before it lists the block's transactions.
 * A watch has no result if the node is behind it, or leaves out a transaction while `doubts` is given. Throws
 * NetworkError, or Undecided if no watch has a result.
 */
export async function scan(
  node: Node,
  config: ChainConfig,
  watches: Watch[],
  doubts: Doubts | null,
): Promise<WatchResult[]> {
  const { tip, resumedWatches } = await resumeWatches(node, config, watches)
  const active = resumedWatches.filter(hasNew)
  const share = Math.max(READ_MIN, Math.floor(READ_MAX / Math.max(1, active.length)))
  const scanned = resumedWatches.map(resumed => chooseEntries(resumed, share))
  const transactions = await readTransactions(
    node,
    scanned.flatMap(({ entries }) => entries.filter(({ hasFailed }) => !hasFailed)),
    {
      owners: new Set(active.map(({ watch }) => watch.address)),
      mints: new Set(mintsOf(config)),
      accounts: new Map(active.flatMap(({ cursor }) => cursor.accounts.map(one => [one.account, one.mint]))),
    },
  )
  const starts = await ownStarts(node, scanned, transactions)
  const results = scanned.flatMap((watch): WatchResult[] => {
    const checked = toCheckedWatch(watch, transactions, starts, config.clock())
    if (checked.isDoubted && doubts?.add(watch.watch)) return []
    return [toWatchResult(config, checked, transactions, tip)]
  })
  if (results.length === 0 && watches.length > 0) {
    throw new Undecided('does not list every transaction that changed a balance')
  }
  return results
}

const hasNew = ({ listings }: ResumedWatch): boolean =>
  [...listings.values()].some(({ listed }) => listed.length > 0)

/**
 * Chooses the transactions to read, the oldest first. An incomplete list has to wait, since its oldest
 * transactions are missing.
 */
function chooseEntries(resumed: ResumedWatch, share: number): ScannedWatch {
  const listings = [...resumed.listings.values()]
  if (!listings.every(({ isComplete }) => isComplete)) return { ...resumed, entries: [], isCut: false }
  const bySignature = new Map(
    listings.flatMap(({ listed }) => listed.map(one => [one.signature, one] as const).reverse()),
  )
  const sorted = [...bySignature.values()].toSorted((a, b) => a.slot - b.slot)
  const next = sorted[share]
  return next
    ? { ...resumed, entries: cutAt(sorted.slice(0, share), next), isCut: true }
    : { ...resumed, entries: sorted, isCut: false }
}

/**
 * Drops the last slot if it is cut, unless it is the only one, so that a report has all payments of a slot.
 */
function cutAt(entries: ListedSignature[], { slot }: ListedSignature): ListedSignature[] {
  const whole = entries.filter(one => one.slot < slot)
  return whole.length > 0 ? whole : entries
}
