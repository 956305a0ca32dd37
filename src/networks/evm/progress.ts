import { sha256 } from '@noble/hashes/sha2.js'
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js'
import type { Asset } from '../../domain/asset.ts'
import { asserted } from '../../domain/errors.ts'
import type { Header } from '../evm-like/rpc-calls.ts'
import type { TokenDeposit, TokenTransfers } from '../evm-like/token-transfers.ts'
import { type BalanceChange, sentUpTo, sumUpTo } from './balance-changes.ts'
import { CHANGES_MAX, type Cursor, type PendingChange } from './cursor.ts'
import type { ResumedWatch } from './resume.ts'
import type { ComparedTransfers } from './token-comparison.ts'

/** The findings of one scan about one address. */
export interface Findings {
  resumed: ResumedWatch
  transfers: ComparedTransfers
  /** all changes of the coin balance above the cursor */
  changes: BalanceChange[]
  /** the token deposits to report; a deposit that the balance does not cover is not final */
  deposits: { deposit: TokenDeposit; isCovered: boolean }[]
  /** the changes to report, without those that were reported as final */
  newChanges: BalanceChange[]
  /** the payouts of the forwarder to report */
  outflows: TokenTransfers['outflows']
  /**
   * the height from which the scan is complete: a stored payment at or above it that is not reported has left
   * the chain
   */
  completeFrom: number
  /** the next height of the cursor */
  next: number
}

/** The heights of a scan. */
interface Limits {
  /** the height up to which cursors may move */
  deep: number
  /** the newest block that is deep enough for every asset */
  settled: number
  /** the newest block that is deep enough for an asset */
  settledFor(asset: Asset): number
}

/**
 * Chooses the findings to report: everything above the last settled block, and what lies between the cursor
 * and that block if it differs from what was reported before. A cursor moves up to the height `deep` at most,
 * and only to blocks that the last scan read too. If the coin arrived in more blocks than a cursor remembers,
 * the cursor moves to the newest settled block: otherwise the same payments could be found in other blocks,
 * and count twice.
 */
export function chooseFindings(
  resumed: ResumedWatch,
  transfers: ComparedTransfers,
  changes: BalanceChange[],
  limits: Limits,
): Findings {
  const { cursor } = resumed
  const { settled } = cursor
  const isFlooded = changes.length > CHANGES_MAX || changes.some(({ isRough }) => isRough)
  const next = isFlooded
    ? Math.max(settled.height, limits.settled)
    : Math.max(cursor.height, Math.min(limits.deep, cursor.seen))
  const { deposits: counting, isCut } = coveredDeposits(transfers, next)
  const isDoubtful = doubtOf(transfers, limits)
  const deposits = counting.map(({ deposit, isCovered }) => {
    const isKnownOrPassed = deposit.log.height <= Math.max(settled.height, next)
    return { deposit, isCovered: isCovered && (isKnownOrPassed || !isDoubtful(deposit)) }
  })
  const isOther =
    isCut ||
    transfers.isReread ||
    fingerprint(transfers.deposits, transfers.outflows, cursor.height, settled.height) !== cursor.reported
  const isKnown = ({ height, amount, sent }: BalanceChange): boolean =>
    height <= settled.height &&
    cursor.changes.some(one => one.height === height && one.amount === amount && one.sent === sent)
  return {
    resumed,
    transfers,
    changes,
    deposits: deposits.filter(
      ({ deposit, isCovered }) => isOther || !isCovered || deposit.log.height > settled.height,
    ),
    newChanges: isCut ? changes : changes.filter(change => !isKnown(change)),
    outflows: transfers.outflows.filter(({ log }) => isOther || log.height > settled.height),
    completeFrom: (isCut ? cursor.height : settled.height) + 1,
    next,
  }
}

/**
 * Returns whether a deposit may be less than its log says, although the balance covers it: the balance counts
 * deposits that can still leave the chain, and one of the same token is not covered entirely.
 */
function doubtOf({ deposits, covered }: ComparedTransfers, { settledFor }: Limits) {
  const isSettled = ({ asset, log }: TokenDeposit): boolean => log.height <= settledFor(asset)
  const lacking = new Set(
    deposits.flatMap(one => (covered.has(one) && !isSettled(one) ? [one.asset.id] : [])),
  )
  return ({ asset }: TokenDeposit): boolean => lacking.has(asset.id)
}

/**
 * The deposits that count. A deposit that the balance does not cover is not final. When the cursor passes it,
 * the uncovered part counts as not arrived.
 */
function coveredDeposits(
  { deposits, covered }: ComparedTransfers,
  passed: number,
): { deposits: Findings['deposits']; isCut: boolean } {
  let isCut = false
  const counting = deposits.flatMap(deposit => {
    const amount = covered.get(deposit)
    if (amount === undefined) return [{ deposit, isCovered: true }]
    if (deposit.log.height > passed) return [{ deposit, isCovered: false }]
    isCut = true
    return amount > 0n ? [{ deposit: { ...deposit, amount }, isCovered: true }] : []
  })
  return { deposits: counting, isCut }
}

/** Identifies the logs between two heights, with their amounts, by a short text; empty without logs. */
function fingerprint(
  deposits: TokenDeposit[],
  outflows: TokenTransfers['outflows'],
  above: number,
  upTo: number,
): string {
  const ids = [...deposits, ...outflows]
    .filter(({ log }) => log.height > above && log.height <= upTo)
    .map(({ log }) => `${log.blockHash} ${log.index} ${log.bytes}`)
  if (ids.length === 0) return ''
  return bytesToHex(sha256(utf8ToBytes(ids.sort().join()))).slice(0, FINGERPRINT_LENGTH)
}

const FINGERPRINT_LENGTH = 16

/**
 * Moves a cursor up to its next height, and `settled` up to the newest settled block; never back. While a
 * deposit is not covered by the balance, `settled` stays, since the log may be invented.
 */
export function advance(
  findings: Findings,
  changes: PendingChange[],
  blocks: Map<number, Header>,
  settledHeight: number,
): Cursor {
  const { resumed, transfers, next } = findings
  const { cursor } = resumed
  const { height, hash } = next > cursor.height ? asserted(blocks.get(next), 'the block was read') : cursor
  const { deposits } = coveredDeposits(transfers, height)
  const reported = deposits.filter(({ isCovered }) => isCovered).map(({ deposit }) => deposit)
  const isSettled = settledHeight > cursor.settled.height && reported.length === deposits.length
  const newest = isSettled ? toRef(asserted(blocks.get(settledHeight), 'the block was read')) : cursor.settled
  const settled = newest.height < height ? { height, hash } : newest
  const { account } = cursor
  const rough = new Set(findings.changes.flatMap(change => (change.isRough ? [change.height] : [])))
  return {
    ...cursor,
    ...transfers.comparison,
    height,
    hash,
    settled,
    reported: fingerprint(reported, transfers.outflows, height, settled.height),
    counted: countedUpTo(transfers, reported, height),
    balance: cursor.balance + sumUpTo(changes, height) - sumUpTo(transfers.flushes, height),
    changes: changes.filter(change => change.height > height && !rough.has(change.height)),
    account: account && { ...account, nonce: account.nonce + sentUpTo(changes, height) },
  }
}

const toRef = ({ height, hash }: Header): Cursor['settled'] => ({ height, hash })

function countedUpTo(
  { counted, outflows }: ComparedTransfers,
  deposits: TokenDeposit[],
  height: number,
): Cursor['counted'] {
  const sums = new Map(Object.entries(counted))
  const add = (id: string, amount: bigint): void => {
    sums.set(id, (sums.get(id) ?? 0n) + amount)
  }
  for (const { asset, amount, log } of deposits) if (log.height <= height) add(asset.id, amount)
  for (const { asset, log } of outflows) {
    if (asset.contract !== null && log.height <= height) add(asset.id, -BigInt(log.bytes))
  }
  return Object.fromEntries([...sums].filter(([, sum]) => sum !== 0n))
}
