import { fingerprintOf, type Listed, shortId, UNSURE_BLOCKS } from './cursor.ts'
import type { Payment, Reading, Tip } from './readers/reader.ts'
import type { ResumedWatch } from './resume.ts'

/** A watch, with what an endpoint lists for it. */
export interface ScannedWatch extends ResumedWatch {
  /** those that count for the attempt */
  payments: Payment[]
  /** every payment up to this height is among them */
  coveredTo: number
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
  const present = new Set(payments.map(({ txId, block }) => `${shortId(txId)} ${block?.height}`))
  const missing = cursor.listed.filter(
    ({ id, height }) => height > from && height <= coveredTo && !present.has(`${id} ${height}`),
  )
  return { ...resumed, payments, coveredTo, missing }
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
