import { asserted } from '../../domain/errors.ts'
import { type ChainConfig, coinOf } from '../evm-like/chain-config.ts'
import type { LogReader } from '../evm-like/logs.ts'
import type { WatchResult } from '../port.ts'
import type { GroupWatch } from '../rpc/rotation.ts'
import { type CoinDeposits, readCoinDeposits } from './coin-deposits.ts'
import { type BlockRef, type Cursor, listKey, toBlockRef, writeCursor } from './cursor.ts'
import { Limit } from './limit.ts'
import { UNSURE_MS } from './list-address.ts'
import type { Node } from './node.ts'
import { toDetectedPayments } from './payments.ts'
import type { ResumedWatch } from './resume.ts'
import { readTokensByIndex, readTokensByLogs, type TokenDeposits, type TokenScan } from './token-deposits.ts'

/**
 * Blocks are read again for this time, since an index may be behind its chain, and an answer may lack a
 * payment.
 */
const MARGIN_MS = 6 * 3_600_000

const noCoin: CoinDeposits = {
  deposits: [],
  isListed: false,
  isComplete: true,
  isPartial: false,
  isCut: false,
  from: null,
  isUnread: false,
  hasChanged: false,
  balance: null,
}

/** The outcome of one scan. */
interface ScanResult {
  results: WatchResult[]
  /** the watches whose coin payments were not listed, and the watches without a result */
  unread: GroupWatch[]
}

/** Scans many addresses with one endpoint, at one tip. Throws NetworkError. */
export async function scan(
  node: Node,
  config: ChainConfig,
  reader: LogReader,
  watches: GroupWatch[],
): Promise<ScanResult> {
  const limit = new Limit()
  const tokenScan = await readTokens(node, config, { reader, limit }, watches)
  const { tip, tokens } = tokenScan
  const coin = coinOf(config)
  const now = config.clock()
  const coins = coin && (await readCoinDeposits(node, coin, { tip, limit }, [...tokens.keys()], now))
  const read = [...tokens].filter(([resumed]) => !coins || coins.has(resumed))
  if (read.length === 0) limit.throwIfHit()
  const results = read.map(([resumed, tokenDeposits]) =>
    toWatchResult(config, tokenScan, resumed, tokenDeposits, coins?.get(resumed) ?? noCoin),
  )
  const whole = read.flatMap(([resumed]) => (coins?.get(resumed)?.isUnread ? [] : [resumed.watch]))
  return { results, unread: watches.filter(watch => !whole.includes(watch)) }
}

function readTokens(
  { rpc, rest, isLocal }: Node,
  config: ChainConfig,
  { reader, limit }: { reader: LogReader; limit: Limit },
  watches: GroupWatch[],
): Promise<TokenScan> {
  if (rpc) return readTokensByLogs(rpc, config, reader, watches)
  const index = asserted(rest, 'a node serves JSON-RPC or REST')
  return readTokensByIndex({ rest: index, isLocal }, config, watches, limit)
}

function toWatchResult(
  config: ChainConfig,
  { tip, base }: TokenScan,
  resumed: ResumedWatch,
  tokens: TokenDeposits,
  coins: CoinDeposits,
): WatchResult {
  const { cursor, stored, watch } = resumed
  const deposits = [...tokens.deposits, ...coins.deposits].filter(
    ({ height, at }) => height > cursor.height && at >= cursor.start.at,
  )
  const isComplete = tokens.isComplete && coins.isComplete
  const now = config.clock()
  const isWhole = isComplete && !tokens.isCut && !coins.isCut
  const next = isComplete ? advance(resumed, base, coins, now) : stored
  const detectedPayments = toDetectedPayments(deposits, config.chainId, tip)
  const finalHeights = detectedPayments.flatMap(({ final, height }) =>
    final ? [asserted(height, 'a final payment has its height')] : [],
  )
  const finalTo = Math.max(stored.finalTo, ...finalHeights)
  return {
    attemptId: watch.attemptId,
    detectedPayments,
    // An incomplete scan reports nothing as gone, and a payment that was final is never reported as gone.
    completeFrom: (isWhole ? Math.max(stored.settled.height, stored.finalTo) : tip.head.height) + 1,
    completeTo: tip.head.height,
    cursor: writeCursor({
      ...withLists(next, resumed.host, { tokens: tokens.from, coin: coins.from }, now),
      finalTo,
      seen: tip.head.height,
      seenAt: now,
    }),
    isPartial: tokens.isPartial || coins.isPartial,
  }
}

/**
 * Adds the times from which later scans of the same endpoint continue its long lists to a cursor. A time in
 * the future is false, and would hide all payments until then.
 */
function withLists(
  { lists, ...next }: Cursor,
  host: string,
  { tokens, coin }: Record<'tokens' | 'coin', number | null>,
  now: number,
): Cursor {
  const all = { ...lists, [listKey('tokens', host)]: tokens, [listKey('coin', host)]: coin }
  const known = Object.entries(all).flatMap(([key, from]): [string, number][] => {
    const time = from !== null && from > now ? now - UNSURE_MS : from
    return time !== null && time > next.at ? [[key, time]] : []
  })
  return known.length > 0 ? { ...next, lists: Object.fromEntries(known) } : next
}

/** Moves a cursor after a complete scan. The cursor's height stays if coin payments could not be listed. */
function advance(
  { stored, isReview }: ResumedWatch,
  base: BlockRef,
  coins: CoinDeposits,
  now: number,
): Cursor {
  const { next, reviewedAt, coinUntil, ...rest } = stored
  const settled = base.height > stored.settled.height ? base : stored.settled
  const isReached = next !== null && base.at - next.at >= MARGIN_MS && !coins.isUnread
  const block = toBlockRef(isReached ? next : stored)
  const later = base.height > block.height ? base : null
  return {
    ...rest,
    ...block,
    settled,
    next: isReached ? later : (next ?? later),
    reviewedAt: isReview && !coins.isUnread ? now : reviewedAt,
    hasCoinPayments: coins.isListed
      ? coins.deposits.some(({ height }) => height > settled.height)
      : stored.hasCoinPayments,
    coinUntil: coins.hasChanged ? now + MARGIN_MS : coinUntil,
    balance: coins.balance,
  }
}
