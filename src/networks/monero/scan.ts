import type { Watch, WatchResult } from '../port.ts'
import type { BlockToRead, Reader } from './block-reader.ts'
import { beginning, type Cursor, KEYS_MAX, printCursor } from './cursor.ts'
import type { Header } from './daemon.ts'
import type { Found } from './match-outputs.ts'
import { type Arrival, toDetectedPayment } from './payments.ts'
import { type Chain, type ResumedWatch, resumeWatches, settledHeight } from './resume.ts'

type Mined = Arrival<Header>

/** What was seen; nothing where so many blocks have to be read before anything can be told. */
interface Look {
  watched: WatchResult[]
  unread: number
}

/**
 * Looks once at many addresses, with one daemon. All that is told rests on one chain of headers up to one
 * tip. What waits for a block is asked for before it, so that nothing is missed that moves from there into a
 * block meanwhile. Throws NetworkFault.
 */
export async function look(reader: Reader, watches: Watch[], now: number): Promise<Look> {
  const waitingHashes = await reader.daemon.waiting()
  const { chain, resumedWatches } = await resumeWatches(reader.daemon, watches, now)
  const byViewKey = Map.groupBy(resumedWatches, ({ viewKey }) => viewKey)
  const unread = await reader.readAhead(blocksToRead(chain, byViewKey))
  if (unread > 0) return { watched: [], unread }

  const waiting = await reader.waiting(waitingHashes, [...byViewKey.keys()])
  const watched: WatchResult[] = []
  for (const [viewKey, own] of byViewKey) {
    const mined = await minedFor(reader, chain, viewKey, lowestOf(own))
    const pending = await undisputed(reader, own, waiting.get(viewKey)!)
    watched.push(...own.map(resumed => told(resumed, chain, mined, pending, now)))
  }
  return { watched, unread }
}

/** The union of what the watches have still to see, each block with all the keys that it is scanned for. */
function blocksToRead(chain: Chain, byViewKey: Map<string, ResumedWatch[]>): BlockToRead[] {
  const starts = [...byViewKey].map(([viewKey, own]) => ({ viewKey, above: lowestOf(own) }))
  return chain.above(Math.min(...starts.map(({ above }) => above))).map(header => ({
    header,
    viewKeys: starts.filter(({ above }) => above < header.height).map(({ viewKey }) => viewKey),
  }))
}

const lowestOf = (resumedWatches: ResumedWatch[]): number =>
  Math.min(...resumedWatches.map(({ cursor }) => cursor.height))

async function minedFor(reader: Reader, chain: Chain, viewKey: string, above: number): Promise<Mined[]> {
  const arrivals: Mined[] = []
  for (const block of chain.above(above)) {
    const found = await reader.found(block, viewKey)
    arrivals.push(...found.map(output => ({ output, block })))
  }
  return arrivals
}

/** Of what waits for a block and is for one of these: what nothing else is seen to spend too. */
async function undisputed(
  reader: Reader,
  resumedWatches: ResumedWatch[],
  found: Found[],
): Promise<Arrival[]> {
  const spendKeys = new Set(resumedWatches.map(({ spendKey }) => spendKey))
  const ours = found.filter(({ spendKey }) => spendKeys.has(spendKey))
  const now = await reader.daemon.transactions([...new Set(ours.map(({ transaction }) => transaction))])
  return ours
    .filter(({ transaction }) => now.get(transaction)?.isDoubtful === false)
    .map(output => ({ output, block: null }))
}

function told(
  resumed: ResumedWatch,
  chain: Chain,
  mined: Mined[],
  pending: Arrival[],
  now: number,
): WatchResult {
  const { watch, spendKey, cursor } = resumed
  const isOurs = ({ output }: Arrival): boolean => output.spendKey === spendKey
  const arrived = mined.filter(one => isOurs(one) && one.block.height > cursor.height)
  const counted = firstOfTheirKey([...arrived, ...pending.filter(isOurs)], cursor.keys)
  return {
    attemptId: watch.attemptId,
    detectedPayments: counted.map(arrival => toDetectedPayment(watch.asset, arrival, chain.tip, now)),
    completeFrom: cursor.height + 1,
    cursor: printCursor(movedOn(resumed, arrived, chain)),
  }
}

/**
 * Of outputs with the same one-time key only one can ever be spent, so that only the first counts, even
 * where it is locked. What is locked is not counted at all.
 */
function firstOfTheirKey(arrivals: Arrival[], before: string[]): Arrival[] {
  const used = new Set(before)
  return arrivals.filter(({ output }) => {
    const key = beginning(output.key)
    const isFirst = !used.has(key)
    used.add(key)
    return isFirst && !output.isLocked
  })
}

/** Up to the newest block that is deep enough to settle, as far as there is room for its keys; never back. */
function movedOn({ watch, cursor }: ResumedWatch, arrived: Mined[], { tip, at, above }: Chain): Cursor {
  const base = Math.max(cursor.height, settledHeight(watch.asset, tip))
  const over = arrived[KEYS_MAX - cursor.keys.length]
  const height = over ? Math.min(base, over.block.height - 1) : base
  const passed = arrived.filter(({ block }) => block.height <= height)
  return {
    height,
    hash: at(height)!.hash,
    opened: cursor.opened,
    seen: tip.height,
    trail: above(height).map(({ hash }) => beginning(hash)),
    keys: [...cursor.keys, ...passed.map(({ output }) => beginning(output.key))],
  }
}
