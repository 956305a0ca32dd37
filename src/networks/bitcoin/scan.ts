import type { Watch, WatchResult } from '../port.ts'
import { Reorganised } from '../rpc/reorg.ts'
import type { CoinName } from './coins.ts'
import { type BlockRef, printCursor, readCursor, shortId, UNSURE_BLOCKS } from './cursor.ts'
import { type BitcoinNode, readTip } from './endpoints.ts'
import { toDetectedPayment } from './payments.ts'
import type { Payment, Reader, Reading, Target, Tip } from './readers/reader.ts'
import { checkTip, type ResumedWatch, resumeWatches } from './resume.ts'

/** The distance between the anchors of a cursor. */
const ANCHOR_BLOCKS = 12

/**
 * Scans many addresses with one endpoint. The results belong to one tip: its hash is read first and last,
 * together with the hash of each payment's block. Throws NetworkError.
 */
export async function scan(
  node: BitcoinNode,
  coin: CoinName,
  watches: Watch[],
  clock: () => number,
): Promise<WatchResult[]> {
  const { reader } = node
  const tip = await readTip(node, coin, clock())
  checkTip(
    node,
    tip,
    watches.map(({ cursor }) => readCursor(cursor)),
  )
  const resumedWatches = await resumeWatches(reader, coin, watches, tip)
  const readings = await reader.read(toTargets(resumedWatches), tip)
  const scanned = resumedWatches.flatMap((resumed): ScannedWatch[] => {
    const reading = readings.get(resumed.script)
    return reading ? [toScannedWatch(resumed, reading, tip)] : []
  })
  const hashes = await verifyBlocks(reader, scanned, tip)
  return scanned.map(watch => toWatchResult(reader, watch, hashes, tip, clock()))
}

/** Attempts that share an address are one target. */
function toTargets(resumedWatches: readonly ResumedWatch[]): Target[] {
  return [...Map.groupBy(resumedWatches, ({ script }) => script)].map(([script, watches]) => ({
    script,
    address: watches[0]!.watch.address,
    starts: watches.map(({ from, cursor }) => ({ from, reportedTo: cursor.reportedTo })),
    pending: watches.flatMap(({ cursor }) => cursor.pending),
  }))
}

interface ScannedWatch extends ResumedWatch {
  /** those that count for the attempt */
  payments: Payment[]
  /** every payment up to this height is among them */
  coveredTo: number
}

/** Keeps what counts for one attempt. A block above the tip is newer than the scan: its payments wait. */
function toScannedWatch(resumed: ResumedWatch, reading: Reading, tip: Tip): ScannedWatch {
  const { from, cursor } = resumed
  const payments = reading.payments
    .filter(({ txId, amount }) => amount > 0n && !cursor.ignored.includes(shortId(txId)))
    .filter(({ block }) => block === null || block.height > from)
    .map((payment): Payment => {
      const isAboveTip = payment.block !== null && payment.block.height > tip.height
      return isAboveTip ? { ...payment, block: null } : payment
    })
  return { ...resumed, payments, coveredTo: reading.coveredFrom(from) }
}

/** The highest block that has enough confirmations for the asset. */
const finalHeight = ({ watch }: ResumedWatch, tip: Tip): number =>
  tip.height - Math.max(watch.asset.confirmations, 1) + 1

/** Whether the scan covered at least the blocks that earlier scans reported. */
const isComplete = ({ cursor, coveredTo }: ScannedWatch, tip: Tip): boolean =>
  coveredTo >= Math.min(cursor.reportedTo, tip.height)

/** The next height of the cursor: up to what is final, unlikely to be replaced, and was read. */
const nextHeight = (scanned: ScannedWatch, tip: Tip): number =>
  Math.max(scanned.from, Math.min(finalHeight(scanned, tip), tip.height - UNSURE_BLOCKS, scanned.coveredTo))

const keepsItsBlock = (scanned: ScannedWatch, tip: Tip): boolean =>
  scanned.isOnChain && nextHeight(scanned, tip) === scanned.cursor.block.height

/**
 * Reads the hashes of the blocks that the results rest on, the tip last. While the tip is the same as at
 * first, the chain has not changed in between. Throws Reorganised where it has.
 */
async function verifyBlocks(
  reader: Reader,
  scanned: readonly ScannedWatch[],
  tip: Tip,
): Promise<Map<number, string>> {
  const blocks = scanned.flatMap(({ payments }) => payments.flatMap(({ block }) => (block ? [block] : [])))
  const nextHeights = scanned
    .filter(watch => isComplete(watch, tip) && !keepsItsBlock(watch, tip))
    .map(watch => nextHeight(watch, tip))
  const heights = [...new Set([...blocks.map(({ height }) => height), ...nextHeights])]
  if (scanned.some(hasLostPayment) && isChanged(await reader.tip(), tip)) throw new Reorganised()
  if (heights.length === 0) return new Map()
  const wanted = [...heights.filter(height => height !== tip.height), tip.height]
  const reported = await reader.hashes(wanted)
  const hashes = new Map(
    wanted.flatMap((height, index) => {
      const hash = reported?.[index] ?? null
      return hash === null ? [] : [[height, hash] as const]
    }),
  )
  if (reported === null) return hashes
  if (hashes.get(tip.height) !== tip.hash) throw new Reorganised()
  if (blocks.some(({ height, hash }) => hashes.get(height) !== hash)) throw new Reorganised()
  return hashes
}

/** An unconfirmed payment that has disappeared may have been mined during the scan. */
const hasLostPayment = ({ cursor, payments }: ScannedWatch): boolean =>
  cursor.pending.some(id => !payments.some(({ txId }) => txId === id))

const isChanged = (now: Tip, { height, hash }: Tip): boolean => now.height !== height || now.hash !== hash

function toWatchResult(
  reader: Reader,
  scanned: ScannedWatch,
  hashes: Map<number, string>,
  tip: Tip,
  now: number,
): WatchResult {
  const { watch, cursor, from, payments, coveredTo, isOnChain } = scanned
  const { attemptId } = watch
  const detectedPayments = payments.map(payment =>
    toDetectedPayment(reader, watch, payment, tip, finalHeight(scanned, tip), now),
  )
  const pending = [...new Set(payments.flatMap(({ txId, block }) => (block ? [] : [txId])))]
  const tipRef = { height: tip.height, hash: tip.hash }
  if (!isComplete(scanned, tip)) {
    // The blocks above were read in part only, so a payment that is not among the results may still exist.
    const completeFrom = tip.height + 1
    const reportedTo = Math.max(cursor.reportedTo, ...detectedPayments.map(({ height }) => height ?? 0))
    // Without a tip hash, the next scan checks the cursor's block again although the tip is the same.
    const nextTip = isOnChain ? tipRef : { ...tipRef, hash: null }
    const next = printCursor({ ...cursor, tip: nextTip, pending, reportedTo })
    return { attemptId, detectedPayments, completeFrom, cursor: next }
  }
  const height = nextHeight(scanned, tip)
  const block = keepsItsBlock(scanned, tip) ? cursor.block : { height, hash: hashes.get(height) ?? null }
  const next = printCursor({
    ...cursor,
    block,
    anchors: nextAnchors(scanned, block),
    tip: tipRef,
    pending,
    reportedTo: coveredTo,
  })
  return { attemptId, detectedPayments, completeFrom: from + 1, cursor: next }
}

/** Drops the anchors that a reorganisation replaced, and adds one when the last is far behind. */
function nextAnchors({ cursor, from }: ResumedWatch, block: BlockRef): BlockRef[] {
  const anchors = cursor.anchors.filter(({ height }) => height <= from)
  const last = anchors.at(-1)
  return last && block.height - last.height < ANCHOR_BLOCKS ? anchors : [...anchors, block]
}
