import { type Cursor, fingerprintOf, type Listed, shortId, UNSURE_BLOCKS } from './cursor.ts'
import type { Payment, Reading, Tip } from './readers/reader.ts'
import type { ResumedWatch } from './resume.ts'

/** A watch, with what an endpoint lists for it. */
export interface ScannedWatch extends ResumedWatch {
  /** those that count for the attempt */
  payments: Payment[]
  /** every payment up to this height is among them */
  coveredTo: number
  /** the same above `blocksFrom`, for a node of whole blocks */
  blocksCoveredTo: number
  /** the payments in blocks that the cursor does not count yet, of older transactions too */
  uncounted: { height: number; amount: bigint }[]
  /** whether the endpoint reports a greater sum than the payments that it lists */
  isShort: boolean
  /** payments that were reported, and that the endpoint does not list where they were */
  missing: Listed[]
}

/**
 * Keeps what counts for one attempt, with older payments that no scan has reported: an endpoint may have left
 * them out. A block above the tip is newer than the scan: its payments wait.
 */
export function toScannedWatch(resumed: ResumedWatch, reading: Reading, tip: Tip): ScannedWatch {
  const { from, cursor } = resumed
  const known = new Map(cursor.listed.map(one => [one.id, one]))
  const isNew = ({ txId, block }: Payment): boolean =>
    block === null || block.height > from || (block.height > cursor.listedAbove && !known.has(shortId(txId)))
  const payments = reading.payments
    .filter(({ txId, amount }) => amount > 0n && !cursor.ignored.includes(shortId(txId)))
    .filter(isNew)
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
  const uncounted = reading.payments.flatMap(payment => {
    const { block, amount, txId } = payment
    const isOlder = block !== null && block.height <= from
    if (block === null || (isOlder && cursor.ignored.includes(shortId(txId))) || !isNew(payment)) return []
    return [{ height: block.height, amount }]
  })
  const isShort = coveredTo >= tip.height && isMore(reading.received, cursor, uncounted)
  return { ...resumed, payments, coveredTo, blocksCoveredTo, uncounted, isShort, missing }
}

/** A sum that is unknown is less than the endpoint's, so that the payments are read and counted again. */
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

/** What the cursor counts when it moves up to a height. */
export function countedTo(
  { cursor: { counted }, uncounted }: ScannedWatch,
  height: number,
): Cursor['counted'] {
  if (counted === null || counted.sum === null) return counted
  const below = uncounted.filter(one => one.height <= height)
  const sum = below.reduce((sum, { amount }) => sum + amount, BigInt(counted.sum))
  return { ...counted, sum: sum.toString() }
}

/** An endpoint that does not know the block of a final payment yet cannot say that it has left its block. */
const isAhead = ({ block }: Payment, known: Listed | undefined, tip: Tip): boolean =>
  block === null && known?.final === true && known.height > tip.height

/** Whether an endpoint leaves out a payment of a block that its chain still has. */
export const omits = ({ missing }: ScannedWatch, hashes: Map<number, string>): boolean =>
  missing.some(({ height, block }) => {
    const hash = hashes.get(height)
    return hash !== undefined && fingerprintOf(hash) === block
  })

/** Whether it does, as far as it reports hashes, while its own sum of the address still has the payment. */
export const hides = (watch: ScannedWatch, hashes: Map<number, string>): boolean =>
  watch.isShort && (omits(watch, hashes) || watch.missing.some(({ height }) => !hashes.has(height)))

/** The highest block that has enough confirmations for the asset. */
export const finalHeight = ({ watch }: ResumedWatch, tip: Tip): number =>
  tip.height - Math.max(watch.asset.confirmations, 1) + 1

/** Whether the scan covered at least the blocks in which earlier scans reported a payment. */
export const isComplete = ({ reportedTo, coveredTo }: ScannedWatch): boolean => coveredTo >= reportedTo

/** The next height of the cursor: up to what is final, unlikely to be replaced, and was read. */
export const nextHeight = (scanned: ScannedWatch, tip: Tip): number =>
  Math.max(scanned.from, Math.min(finalHeight(scanned, tip), tip.height - UNSURE_BLOCKS, scanned.coveredTo))

export const keepsItsBlock = (scanned: ScannedWatch, tip: Tip): boolean =>
  scanned.isOnChain && nextHeight(scanned, tip) === scanned.cursor.block.height
