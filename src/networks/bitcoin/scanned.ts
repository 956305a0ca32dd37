import { type Cursor, fingerprintOf, type Listed, shortId, UNSURE_BLOCKS } from './cursor.ts'
import type { Payment, Reading, Tip } from './readers/reader.ts'
import type { ResumedWatch } from './resume.ts'

/** A watch, with the payments that an endpoint lists for it. */
export interface ScannedWatch extends ResumedWatch {
  /** the payments that count for the attempt */
  payments: Payment[]
  /** all blocks above `from` up to this height were read */
  coveredTo: number
  /** all blocks above `blocksFrom` up to this height were read, by a node of whole blocks */
  blocksCoveredTo: number
  /**
   * the payments in blocks that the cursor does not count yet, also payments that do not count for the
   * attempt
   */
  uncounted: { height: number; amount: bigint }[]
  /** true if the endpoint reports a greater sum than the payments that it lists */
  isShort: boolean
  /** payments that were reported before, and that the endpoint does not list in the same block */
  missing: Listed[]
}

/**
 * Selects the payments that count for one attempt. They include older payments that no scan has reported,
 * since an endpoint may have left them out, and those that only another endpoint has reported. Payments in a
 * block above the tip stay unconfirmed until the next scan.
 */
export function toScannedWatch(resumed: ResumedWatch, reading: Reading, tip: Tip): ScannedWatch {
  const { from, cursor, watch } = resumed
  const known = new Map(cursor.listed.map(one => [one.id, one]))
  const isNew = ({ txId, block }: Payment): boolean =>
    block === null || block.height > from || (block.height > cursor.listedAbove && !known.has(shortId(txId)))
  const wasConfirmed = ({ txId }: Payment): boolean =>
    watch.requiredEndpoints > 1 && known.get(shortId(txId))?.final === true
  // True for a payment that another endpoint alone may have reported with a smaller amount.
  const mayBeMore = (payment: Payment): boolean => {
    const { block } = payment
    const isOlder = block !== null && block.height > cursor.listedAbove
    return watch.isTakenOver === true && isOlder && !wasConfirmed(payment)
  }
  const payments = reading.payments
    .filter(({ txId, amount }) => amount > 0n && !cursor.ignored.includes(shortId(txId)))
    .filter(payment => isNew(payment) || mayBeMore(payment))
    .map((payment): Payment => {
      const isAboveTip = payment.block !== null && payment.block.height > tip.height
      return isAboveTip ? { ...payment, block: null } : payment
    })
    .filter(payment => !isAhead(payment, known.get(shortId(payment.txId)), tip))
  const coveredTo = reading.coveredFrom(from)
  const blocksCoveredTo = reading.coveredFrom(resumed.blocksFrom)
  const present = new Set(payments.map(({ txId, block }) => `${shortId(txId)} ${block?.height}`))
  const missing = cursor.listed.filter(
    ({ id, height }) => height > from && height <= coveredTo && !present.has(`${id} ${height}`),
  )
  // A payment from before the watch is counted already, also above a start that was corrected downwards.
  const earlierTo = Math.max(from, resumed.storedStart)
  const uncounted = reading.payments.flatMap(payment => {
    const { block, amount, txId } = payment
    if (block === null || !isNew(payment)) return []
    const isCounted = block.height <= earlierTo && cursor.ignored.includes(shortId(txId))
    return isCounted ? [] : [{ height: block.height, amount }]
  })
  const isShort = coveredTo >= tip.height && isMore(reading.received, cursor, uncounted)
  return { ...resumed, payments, coveredTo, blocksCoveredTo, uncounted, isShort, missing }
}

/**
 * True if an endpoint's sum is greater than what was counted. An unknown count is treated as smaller, so that
 * all payments are read and counted again.
 */
export function isMore(
  received: bigint | null,
  { counted }: Cursor,
  uncounted: ScannedWatch['uncounted'],
): boolean {
  if (received === null || counted === null) return false
  if (counted.sum === null) return true
  const sum = uncounted.reduce((sum, { amount }) => sum + amount, BigInt(counted.sum))
  return received > BigInt(counted.before) + sum
}

/** Returns the sums for a cursor that moves up to a height. */
export function countedTo(
  { cursor: { counted }, uncounted }: ScannedWatch,
  height: number,
): Cursor['counted'] {
  if (counted === null || counted.sum === null) return counted
  const below = uncounted.filter(one => one.height <= height)
  const sum = below.reduce((sum, { amount }) => sum + amount, BigInt(counted.sum))
  return { ...counted, sum: sum.toString() }
}

/**
 * True if the endpoint lists a final payment as unconfirmed only because it does not know the payment's block
 * yet.
 */
const isAhead = ({ block }: Payment, known: Listed | undefined, tip: Tip): boolean =>
  block === null && known?.final === true && known.height > tip.height

/** True if an endpoint leaves out a payment whose block its chain still has. */
export const omits = ({ missing }: ScannedWatch, hashes: Map<number, string>): boolean =>
  missing.some(({ height, block }) => {
    const hash = hashes.get(height)
    return hash !== undefined && fingerprintOf(hash) === block
  })

/** True if an endpoint leaves out a payment that its own sum of the address includes. */
export const hides = (watch: ScannedWatch, hashes: Map<number, string>): boolean =>
  watch.isShort && (omits(watch, hashes) || watch.missing.some(({ height }) => !hashes.has(height)))

/** The height of the newest block that has enough confirmations for the asset. */
export const finalHeight = ({ watch }: ResumedWatch, tip: Tip): number =>
  tip.height - Math.max(watch.asset.confirmations, 1) + 1

/** True if the scan covered at least the blocks in which earlier scans reported a payment. */
export const isComplete = ({ reportedTo, coveredTo }: ScannedWatch): boolean => coveredTo >= reportedTo

/** The next height of the cursor: final, too deep to be replaced, and covered by the scan. */
export const nextHeight = (scanned: ScannedWatch, tip: Tip): number =>
  Math.max(scanned.from, Math.min(finalHeight(scanned, tip), tip.height - UNSURE_BLOCKS, scanned.coveredTo))

export const keepsItsBlock = (scanned: ScannedWatch, tip: Tip): boolean =>
  scanned.isOnChain && nextHeight(scanned, tip) === scanned.cursor.block.height
