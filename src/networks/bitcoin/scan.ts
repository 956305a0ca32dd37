import { isWithin } from '../../domain/clock.ts'
import { asserted } from '../../domain/errors.ts'
import { Undecided, type WatchResult } from '../port.ts'
import type { Doubts } from '../rpc/doubts.ts'
import { mapLimit } from '../rpc/map-limit.ts'
import { Reorganised } from '../rpc/reorg.ts'
import type { GroupWatch } from '../rpc/rotation.ts'
import type { CoinName } from './coins.ts'
import { type BitcoinNode, readTip } from './endpoints.ts'
import type { Reader, Target, Tip } from './readers/reader.ts'
import { toWatchResult } from './results.ts'
import { type ResumedWatch, requireCurrent, resumeWatches, rewind, SEEN_MS } from './resume.ts'
import {
  hides,
  isComplete,
  isMore,
  keepsItsBlock,
  nextHeight,
  omits,
  type ScannedWatch,
  toScannedWatch,
} from './scanned.ts'

interface ScanOptions {
  coin: CoinName
  clock: () => number
  /** collects the watches for which the endpoint leaves payments out; null to report on them too */
  doubts: Doubts | null
}

/**
 * Scans many addresses with one endpoint. The results belong to one tip, whose hash is read first and last,
 * together with the hash of each payment's block. A watch that the endpoint cannot decide on has no result.
 * Throws NetworkError, or Undecided if no watch has a result.
 */
export async function scan(
  node: BitcoinNode,
  watches: GroupWatch[],
  { coin, clock, doubts }: ScanOptions,
): Promise<WatchResult[]> {
  const { reader } = node
  const now = clock()
  const tip = await readTip(node, coin, now)
  const current = requireCurrent(node, watches, tip, now)
  const resumedWatches = await resumeWatches(node, coin, current, tip, now)
  const scanned = await readComplete(reader, resumedWatches, tip)
  const hashes = await verifyBlocks(reader, scanned, tip)
  const compared = await compareSums(reader, scanned, hashes)
  const results = compared.flatMap((watch): WatchResult[] => {
    const isDoubted = isUnsure(watch, hashes, now)
    const result = toWatchResult(reader, watch, hashes, { tip, now: clock(), isDoubted })
    return isDoubted && doubts?.add(result, result.detectedPayments) ? [] : [result]
  })
  if (results.length === 0 && watches.length > 0) {
    throw new Undecided('does not report all payments to an address')
  }
  return results
}

/**
 * True while a missing payment may still exist. The payment counts as gone after `SEEN_MS`, unless a sum
 * includes it.
 */
const isUnsure = (watch: ScannedWatch, hashes: Map<number, string>, now: number): boolean =>
  hides(watch, hashes) ||
  (omits(watch, hashes) && isRecent(watch.cursor.doubtedSince, now)) ||
  (watch.isShort && isRecent(watch.cursor.shortSince, now))

const isRecent = (since: number | null, now: number): boolean =>
  since === null || isWithin(SEEN_MS, since, now)

/**
 * Asks for the sum of each address with a missing payment, since the endpoint may have left out only the
 * list's entry.
 */
async function compareSums(
  reader: Reader,
  scanned: readonly ScannedWatch[],
  hashes: Map<number, string>,
): Promise<ScannedWatch[]> {
  return mapLimit(scanned, CONCURRENT_REQUESTS, async watch => {
    if (watch.isShort || !omits(watch, hashes)) return watch
    const received = await reader.received(watch.watch)
    return { ...watch, isShort: isMore(received, watch.cursor, watch.uncounted) }
  })
}

const CONCURRENT_REQUESTS = 4

/** Reads all watches. A watch whose sum is greater than what was counted is read again from its start. */
async function readComplete(
  reader: Reader,
  resumedWatches: readonly ResumedWatch[],
  tip: Tip,
): Promise<ScannedWatch[]> {
  const scanned = await read(reader, resumedWatches, tip)
  const short = scanned.filter(({ isShort, from, cursor }) => isShort && from > cursor.startHeight)
  if (short.length === 0) return scanned
  const again = await read(reader, short.map(rewind), tip)
  return scanned.map(one => again.find(({ watch }) => watch === one.watch) ?? one)
}

async function read(
  reader: Reader,
  resumedWatches: readonly ResumedWatch[],
  tip: Tip,
): Promise<ScannedWatch[]> {
  const readings = await reader.read(toTargets(reader, resumedWatches), tip)
  return resumedWatches.flatMap((resumed): ScannedWatch[] => {
    const reading = readings.get(resumed.script)
    return reading ? [toScannedWatch(resumed, reading, tip)] : []
  })
}

/** Makes one target for all watches of an address. */
function toTargets(reader: Reader, resumedWatches: readonly ResumedWatch[]): Target[] {
  return [...Map.groupBy(resumedWatches, ({ script }) => script)].map(([script, watches]) => ({
    script,
    address: asserted(watches[0], 'a group of watches has one').watch.address,
    starts: watches.flatMap(({ from, blocksFrom, reportedTo }) => [
      { from, reportedTo },
      ...(reader.readsBlocks && blocksFrom < from ? [{ from: blocksFrom, reportedTo: blocksFrom }] : []),
    ]),
    listedAbove: Math.min(...watches.map(({ from, cursor }) => Math.min(from, cursor.listedAbove))),
    since: Math.min(...watches.map(({ cursor }) => cursor.startHeight)),
    wantsReceived: false,
    pending: watches.flatMap(({ cursor }) => cursor.pending),
  }))
}

/**
 * Reads the hashes of the blocks that the results depend on, the tip last. If the tip is still the same, the
 * chain has not changed during the scan. Throws Reorganised if it has.
 */
async function verifyBlocks(
  reader: Reader,
  scanned: readonly ScannedWatch[],
  tip: Tip,
): Promise<Map<number, string>> {
  const blocks = scanned.flatMap(({ payments }) => payments.flatMap(({ block }) => (block ? [block] : [])))
  const nextHeights = scanned
    .filter(watch => isComplete(watch) && !keepsItsBlock(watch, tip))
    .map(watch => nextHeight(watch, tip))
  const missing = scanned.flatMap(watch => watch.missing.map(({ height }) => height))
  const heights = [...new Set([...blocks.map(({ height }) => height), ...nextHeights, ...missing])]
  if (scanned.some(mayBeAhead) && isChanged(await reader.tip(), tip)) throw new Reorganised()
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

/**
 * True if the payments may belong to a newer block than the tip: a pending payment is gone, or the sum is
 * greater.
 */
const mayBeAhead = ({ cursor, payments, isShort }: ScannedWatch): boolean =>
  isShort || cursor.pending.some(id => !payments.some(({ txId }) => txId === id))

const isChanged = (now: Tip, { height, hash }: Tip): boolean => now.height !== height || now.hash !== hash
