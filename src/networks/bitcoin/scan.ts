import type { DetectedPayment, Watch, WatchResult } from '../port.ts'
import type { CoinName } from './coins.ts'
import { type Cursor, type Place, printCursor, readCursor, shortId, UNSURE_BLOCKS } from './cursor.ts'
import { type Node, tipOf } from './node.ts'
import { toDetectedPayment } from './payments.ts'
import {
  type Payment,
  type Reader,
  type Reading,
  Reorganised,
  type Target,
  type Tip,
} from './readers/reader.ts'
import { checkTip, type ResumedWatch, resumeWatches } from './resume.ts'

/** How far apart the anchors of a cursor lie. */
const ANCHOR_BLOCKS = 12

/**
 * Looks once at many addresses, with one endpoint. All that is told rests on one tip, whose block is asked
 * for at first and at last, together with the block of each payment. Throws NetworkFault.
 */
export async function look(
  node: Node,
  coin: CoinName,
  watches: Watch[],
  clock: () => number,
): Promise<WatchResult[]> {
  const { reader } = node
  const tip = await tipOf(node, coin, clock())
  checkTip(
    node,
    tip,
    watches.map(({ cursor }) => readCursor(cursor)),
  )
  const resumedWatches = await resumeWatches(reader, coin, watches, tip)
  const readings = await reader.read(targetsOf(resumedWatches), tip)
  const heard = resumedWatches.flatMap(resumed => {
    const reading = readings.get(resumed.script)
    return reading ? [{ resumed, reading: ownReading(resumed, reading, tip) }] : []
  })
  const places = await confirm(reader, heard, tip)
  return heard.map(({ resumed, reading }) => told(reader, resumed, reading, places, tip, clock()))
}

/** Attempts that share an address are one target. */
function targetsOf(resumedWatches: readonly ResumedWatch[]): Target[] {
  return [...Map.groupBy(resumedWatches, ({ script }) => script)].map(([script, own]) => ({
    script,
    address: own[0]!.watch.address,
    starts: own.map(({ from, cursor }) => ({ from, told: cursor.told })),
    pending: own.flatMap(({ cursor }) => cursor.pending),
  }))
}

/** What counts for one attempt. A block above the tip came meanwhile: it counts at the next look. */
function ownReading(
  { from, cursor }: ResumedWatch,
  { payments, coveredFrom }: Reading,
  tip: Tip,
): OwnReading {
  const own = payments
    .filter(({ txId, amount }) => amount > 0n && !cursor.before.includes(shortId(txId)))
    .filter(({ block }) => block === null || block.height > from)
    .map((payment): Payment => {
      const isAbove = payment.block !== null && payment.block.height > tip.height
      return isAbove ? { ...payment, block: null } : payment
    })
  return { payments: own, coveredTo: coveredFrom(from) }
}

interface OwnReading {
  payments: Payment[]
  coveredTo: number
}

interface Heard {
  resumed: ResumedWatch
  reading: OwnReading
}

/** The highest block that is deep enough for the asset to settle. */
const baseOf = ({ watch }: ResumedWatch, tip: Tip): number =>
  tip.height - Math.max(watch.asset.confirmations, 1) + 1

const isWhole = ({ resumed, reading }: Heard, tip: Tip): boolean =>
  reading.coveredTo >= Math.min(resumed.cursor.told, tip.height)

/** Where the cursor goes: up to what is final and sure, and was read. */
const placeOf = ({ resumed, reading }: Heard, tip: Tip): number =>
  Math.max(resumed.from, Math.min(baseOf(resumed, tip), tip.height - UNSURE_BLOCKS, reading.coveredTo))

const staysAt = (heard: Heard, tip: Tip): boolean => placeOf(heard, tip) === heard.resumed.cursor.height

/**
 * Asks for the blocks that the answers rest on, the tip last: when it is the same as at first, so was the
 * chain in between. Throws Reorganised where it was not.
 */
async function confirm(reader: Reader, heard: readonly Heard[], tip: Tip): Promise<Map<number, string>> {
  const blocks = heard.flatMap(({ reading }) =>
    reading.payments.flatMap(({ block }) => (block ? [block] : [])),
  )
  const nextState = heard
    .filter(one => isWhole(one, tip) && !(one.resumed.stands && staysAt(one, tip)))
    .map(one => placeOf(one, tip))
  const heights = [...new Set([...blocks.map(({ height }) => height), ...nextState])]
  const hasLost = heard.some(({ resumed, reading }) => isLost(resumed.cursor, reading))
  if (hasLost && isNewer(await reader.tip(), tip)) throw new Reorganised()
  if (heights.length === 0) return new Map()
  const wanted = [...heights.filter(height => height !== tip.height), tip.height]
  const answers = await reader.hashes(wanted)
  const hashes = new Map(
    wanted.flatMap((height, index) => {
      const hash = answers?.[index] ?? null
      return hash === null ? [] : [[height, hash] as const]
    }),
  )
  if (answers === null) return hashes
  if (hashes.get(tip.height) !== tip.hash) throw new Reorganised()
  if (blocks.some(({ height, hash }) => hashes.get(height) !== hash)) throw new Reorganised()
  return hashes
}

/** An unconfirmed payment that is nowhere any more may have come into a block while the look went on. */
const isLost = ({ pending }: Cursor, { payments }: OwnReading): boolean =>
  pending.some(id => !payments.some(({ txId }) => txId === id))

const isNewer = (now: Tip, { height, hash }: Tip): boolean => now.height !== height || now.hash !== hash

function told(
  reader: Reader,
  resumed: ResumedWatch,
  reading: OwnReading,
  places: Map<number, string>,
  tip: Tip,
  now: number,
): WatchResult {
  const { watch, cursor, from } = resumed
  const heard = { resumed, reading }
  const base = baseOf(resumed, tip)
  const detectedPayments = reading.payments.map(
    (payment): DetectedPayment => toDetectedPayment(reader, watch, payment, tip, base, now),
  )
  const common = {
    seen: { height: tip.height, hash: tip.hash },
    pending: [...new Set(reading.payments.flatMap(({ txId, block }) => (block ? [] : [txId])))],
  }
  if (!isWhole(heard, tip)) {
    const highest = Math.max(cursor.told, ...detectedPayments.map(({ height }) => height ?? 0))
    // What is above was read in part only: nothing can be said of what is not among it.
    const rest = printCursor({ ...cursor, ...unseen(resumed, common), told: highest })
    return { attemptId: watch.attemptId, detectedPayments, completeFrom: tip.height + 1, cursor: rest }
  }
  const height = placeOf(heard, tip)
  const stays = resumed.stands && height === cursor.height
  const place = { height, hash: stays ? cursor.hash : (places.get(height) ?? null) }
  return {
    attemptId: watch.attemptId,
    detectedPayments,
    completeFrom: from + 1,
    cursor: printCursor({
      ...cursor,
      ...place,
      ...common,
      anchors: anchorsOf(resumed, place),
      told: reading.coveredTo,
    }),
  }
}

/** A cursor whose block has gone has to be seen as such by the next look too, though the tip is the same. */
const unseen = ({ stands }: ResumedWatch, common: Pick<Cursor, 'seen' | 'pending'>) =>
  stands ? common : { ...common, seen: { ...common.seen, hash: null } }

/** Those that were not passed on the way back, and a new one when the last lies far behind. */
function anchorsOf({ cursor, from }: ResumedWatch, place: Place): Place[] {
  const anchors = cursor.anchors.filter(({ height }) => height <= from)
  const last = anchors.at(-1)
  return last && place.height - last.height < ANCHOR_BLOCKS ? anchors : [...anchors, place]
}
