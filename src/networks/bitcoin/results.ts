import { isWithin } from '../../domain/clock.ts'
import type { WatchResult } from '../port.ts'
import { type BlockRef, type Cursor, fingerprintOf, type Listed, printCursor, shortId } from './cursor.ts'
import { toDetectedPayment } from './payments.ts'
import type { Reader, Tip } from './readers/reader.ts'
import type { ResumedWatch } from './resume.ts'
import {
  countedTo,
  finalHeight,
  isComplete,
  keepsItsBlock,
  nextHeight,
  type ScannedWatch,
} from './scanned.ts'

/** The distance between the anchors of a cursor. */
const ANCHOR_BLOCKS = 12
/**
 * While the tip stays the same, its time is updated only in steps of this length, so that the cursor does not
 * change with every scan.
 */
const TIP_AT_STEP_MS = 60_000

/** Makes the result of a watch. If the watch is in doubt, a missing payment may still exist. */
export function toWatchResult(
  reader: Reader,
  scanned: ScannedWatch,
  hashes: Map<number, string>,
  { tip, now, isDoubted }: { tip: Tip; now: number; isDoubted: boolean },
): WatchResult {
  const { watch, from, payments, isOnChain, reportedTo } = scanned
  const cursor = { ...scanned.cursor, startHeight: scanned.storedStart }
  const { attemptId } = watch
  const detectedPayments = payments.map(payment =>
    toDetectedPayment(reader, watch, payment, tip, finalHeight(scanned, tip), now),
  )
  const isPartial = scanned.coveredTo < tip.height
  const result = { attemptId, detectedPayments, completeTo: tip.height, isPartial }
  const pending = [...new Set(payments.flatMap(({ txId, block }) => (block ? [] : [txId])))]
  const tipRef = { height: tip.height, hash: tip.hash }
  const tipAt = tipAtOf(cursor, tip, now)
  const listed = nextListed(scanned, tip)
  const height = nextHeight(scanned, tip)
  const blocksTo = nextBlocksTo(reader, scanned, height)
  const shortSince = scanned.isShort ? (cursor.shortSince ?? now) : null
  if (isDoubted || !isComplete(scanned)) {
    // Only a part of the blocks was read, so a payment that was not found may still exist.
    const highest = Math.max(...detectedPayments.map(payment => payment.height ?? 0), reportedTo)
    const completeFrom = Math.max(tip.height, highest) + 1
    // Without the tip's hash, the next scan checks the cursor's block again even if the tip is the same.
    const nextTip = isOnChain ? tipRef : { ...tipRef, hash: null }
    const doubtedSince = isDoubted ? (cursor.doubtedSince ?? now) : cursor.doubtedSince
    const all = [...listed, ...cursor.listed.filter(old => !listed.some(({ id }) => id === old.id))]
    const next = { ...cursor, blocksTo, tip: nextTip, tipAt, pending, listed: all, doubtedSince, shortSince }
    return { ...result, completeFrom, cursor: printCursor(next) }
  }
  const block = keepsItsBlock(scanned, tip) ? cursor.block : { height, hash: hashes.get(height) ?? null }
  const next = printCursor({
    ...cursor,
    block,
    blocksTo,
    anchors: nextAnchors(scanned, block),
    tip: tipRef,
    tipAt,
    pending,
    listed,
    doubtedSince: null,
    counted: countedTo(scanned, height),
    shortSince,
  })
  // A node reads the blocks of the watch that is furthest behind, which may end below those of this watch.
  const completeTo = Math.min(tip.height, scanned.coveredTo)
  return { ...result, completeFrom: from + 1, completeTo, cursor: next }
}

const tipAtOf = ({ tip: last, tipAt }: Cursor, { height, hash }: Tip, now: number): number =>
  last.height === height && last.hash === hash && isWithin(TIP_AT_STEP_MS, tipAt, now) ? tipAt : now

/** Returns the payments in blocks that this scan and earlier ones have reported. */
function nextListed(scanned: ScannedWatch, tip: Tip): Listed[] {
  const { cursor, from, payments } = scanned
  const listed = new Map(cursor.listed.filter(({ height }) => height <= from).map(one => [one.id, one]))
  for (const { txId, block } of payments) {
    if (block === null) continue
    const { height, hash } = block
    const final = height <= finalHeight(scanned, tip)
    listed.set(shortId(txId), { id: shortId(txId), height, block: fingerprintOf(hash), final })
  }
  return [...listed.values()]
}

/** Returns the next `blocksTo` of the cursor, which moves up only to blocks too deep to be replaced. */
const nextBlocksTo = (
  { readsBlocks }: Reader,
  { blocksFrom, blocksCoveredTo }: ScannedWatch,
  height: number,
): number => (readsBlocks ? Math.max(blocksFrom, Math.min(blocksCoveredTo, height)) : blocksFrom)

/** Drops the anchors that a reorganisation replaced, and adds an anchor when the last one is far behind. */
function nextAnchors({ cursor, from }: ResumedWatch, block: BlockRef): BlockRef[] {
  const anchors = cursor.anchors.filter(({ height }) => height <= from)
  const last = anchors.at(-1)
  return last && block.height - last.height < ANCHOR_BLOCKS ? anchors : [...anchors, block]
}
