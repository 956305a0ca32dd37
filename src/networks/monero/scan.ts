import { isWithin } from '../../domain/clock.ts'
import { asserted } from '../../domain/errors.ts'
import type { WatchResult } from '../port.ts'
import type { GroupWatch } from '../rpc/rotation.ts'
import type { BlockReader, BlockToRead } from './block-reader.ts'
import { type Cursor, shortHex, USED_KEYS_MAX, writeCursor } from './cursor.ts'
import type { Header } from './daemon.ts'
import type { MatchedOutput } from './match-outputs.ts'
import { type ReceivedOutput, toDetectedPayment } from './payments.ts'
import { type Chain, type ResumedWatch, resumeWatches, SEEN_MS, settledHeight } from './resume.ts'

type MinedOutput = ReceivedOutput<Header>

/** The results of a scan, without watches that have unread blocks. */
interface ScanResult {
  results: WatchResult[]
  unreadBlocks: number
}

/**
 * Scans many addresses with one daemon. All results belong to one chain of headers. The pool is listed before
 * the headers, so that a transaction that is mined during the scan is not missed. Throws NetworkError.
 */
export async function scan(reader: BlockReader, watches: GroupWatch[], now: number): Promise<ScanResult> {
  const poolHashes = await reader.daemon.poolHashes()
  const { chain, resumedWatches: all } = await resumeWatches(reader.daemon, watches, now)
  const unread = await reader.readAhead(
    blocksToRead(
      chain,
      Map.groupBy(all, ({ viewKey }) => viewKey),
    ),
  )
  const unreadBlocks = unread.length
  const isRead = ({ viewKey, cursor }: ResumedWatch): boolean =>
    !unread.some(({ header, viewKeys }) => header.height > cursor.height && viewKeys.includes(viewKey))
  const resumedWatches = all.filter(isRead)
  if (resumedWatches.length === 0) return { results: [], unreadBlocks }
  const byViewKey = Map.groupBy(resumedWatches, ({ viewKey }) => viewKey)

  const poolOutputs = await reader.poolOutputs(poolHashes, [...byViewKey.keys()])
  const results: WatchResult[] = []
  for (const [viewKey, own] of byViewKey) {
    const mined = await minedOutputs(reader, chain, viewKey, lowestHeight(own))
    const pending = await undisputed(
      reader,
      own,
      asserted(poolOutputs.get(viewKey), 'each view key has its outputs'),
    )
    results.push(...own.map(resumed => toWatchResult(resumed, chain, mined, pending, now)))
  }
  return { results, unreadBlocks }
}

/**
 * Lists the blocks above the watches' cursors, each with the view keys to match. The newest come first, so
 * that a payment of today does not wait until a week of blocks is read.
 */
function blocksToRead(chain: Chain, byViewKey: Map<string, ResumedWatch[]>): BlockToRead[] {
  const starts = [...byViewKey].map(([viewKey, own]) => ({ viewKey, above: lowestHeight(own) }))
  const lowest = Math.min(...starts.map(({ above }) => above))
  return chain
    .above(lowest)
    .map(header => ({
      header,
      viewKeys: starts.filter(({ above }) => above < header.height).map(({ viewKey }) => viewKey),
    }))
    .reverse()
}

const lowestHeight = (resumedWatches: ResumedWatch[]): number =>
  Math.min(...resumedWatches.map(({ cursor }) => cursor.height))

async function minedOutputs(
  reader: BlockReader,
  chain: Chain,
  viewKey: string,
  above: number,
): Promise<MinedOutput[]> {
  const mined: MinedOutput[] = []
  for (const block of chain.above(above)) {
    const outputs = await reader.outputsIn(block, viewKey)
    mined.push(...outputs.map(output => ({ output, block })))
  }
  return mined
}

/** Selects the pool outputs for these watches, without those of a double-spent transaction. */
async function undisputed(
  reader: BlockReader,
  resumedWatches: ResumedWatch[],
  outputs: MatchedOutput[],
): Promise<ReceivedOutput[]> {
  const spendKeys = new Set(resumedWatches.map(({ spendKey }) => spendKey))
  const own = outputs.filter(({ spendKey }) => spendKeys.has(spendKey))
  const now = await reader.daemon.transactions([...new Set(own.map(({ transaction }) => transaction))])
  return own
    .filter(({ transaction }) => now.get(transaction)?.isDoubleSpent === false)
    .map(output => ({ output, block: null }))
}

function toWatchResult(
  resumed: ResumedWatch,
  chain: Chain,
  mined: MinedOutput[],
  pending: ReceivedOutput[],
  now: number,
): WatchResult {
  const { watch, spendKey, cursor, isBehind, rereadTo } = resumed
  const isOwn = ({ output }: ReceivedOutput): boolean => output.spendKey === spendKey
  const received = mined.filter(one => isOwn(one) && one.block.height > cursor.height)
  const counted = countable([...received, ...pending.filter(isOwn)], cursor.usedKeys)
  return {
    attemptId: watch.attemptId,
    detectedPayments: counted.map(one => toDetectedPayment(watch.asset, one, chain.tip, now)),
    // A daemon that is behind may lack the newest payments, so none of them counts as gone. A payment that
    // was final before never does.
    completeFrom: (isBehind ? cursor.tipHeight : (rereadTo ?? cursor).height) + 1,
    completeTo: chain.tip.height,
    cursor: writeCursor(nextCursor(resumed, received, chain, now)),
  }
}

/**
 * Returns the outputs that count. Of several outputs with the same one-time key, only one can ever be spent,
 * so only the first counts. A locked output does not count, but uses up its key.
 */
function countable(received: ReceivedOutput[], usedKeys: string[]): ReceivedOutput[] {
  const used = new Set(usedKeys)
  return received.filter(({ output }) => {
    const key = shortHex(output.key)
    const isFirst = !used.has(key)
    used.add(key)
    return isFirst && !output.isLocked
  })
}

/**
 * Moves a cursor up to the newest settled block, as far as there is room for its keys; never down. If the
 * daemon is behind, the tip that was seen stays, so that the next scan knows it too.
 */
function nextCursor(
  { watch, cursor, rereadTo, isBehind }: ResumedWatch,
  received: MinedOutput[],
  { tip, at, above }: Chain,
  now: number,
): Cursor {
  const settled = Math.max(cursor.height, settledHeight(watch.asset, tip))
  const excess = received[USED_KEYS_MAX - cursor.usedKeys.length]
  const height = excess ? Math.min(settled, excess.block.height - 1) : settled
  const passed = received.filter(({ block }) => block.height <= height)
  return {
    height,
    hash: asserted(at(height), 'the chain was read to this height').hash,
    startHeight: Math.min(cursor.startHeight, height),
    startedAt: cursor.startedAt,
    ...(cursor.first && { first: cursor.first }),
    ...(isBehind && isWithin(SEEN_MS, cursor.tipAt, now)
      ? { tipHeight: cursor.tipHeight, tipAt: cursor.tipAt, recentHashes: cursor.recentHashes }
      : { tipHeight: tip.height, tipAt: now, recentHashes: above(height).map(({ hash }) => shortHex(hash)) }),
    usedKeys: [
      ...new Set([...(rereadTo ?? cursor).usedKeys, ...passed.map(({ output }) => shortHex(output.key))]),
    ],
  }
}
