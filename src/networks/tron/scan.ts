import { type ChainConfig, coinOf } from '../evm-like/chain-config.ts'
import type { LogReader } from '../evm-like/logs.ts'
import { commonSettledHeight } from '../evm-like/tip.ts'
import type { Watch, WatchResult } from '../port.ts'
import { type CoinDeposits, readCoinDeposits } from './coin-deposits.ts'
import { type BlockRef, type Cursor, toBlockRef, writeCursor } from './cursor.ts'
import type { Node } from './node.ts'
import { toDetectedPayments } from './payments.ts'
import type { ResumedWatch } from './resume.ts'
import { readTokensByIndex, readTokensByLogs, type TokenDeposits, type TokenScan } from './token-deposits.ts'

/** An index is assumed never to be further behind its chain than this. */
const INDEX_LAG_MS = 600_000

const noCoin: CoinDeposits = { deposits: [], isListed: false, isComplete: true, balance: null }

/** Scans many addresses once, with one endpoint, at one tip. Throws NetworkError. */
export async function scan(
  node: Node,
  config: ChainConfig,
  reader: LogReader,
  watches: Watch[],
): Promise<WatchResult[]> {
  const tokenScan = await readTokens(node, config, reader, watches)
  const { tip, tokens } = tokenScan
  const coin = coinOf(config)
  const coins = coin ? await readCoinDeposits(node, coin, tip, [...tokens.keys()]) : null
  return [...tokens].map(([resumed, tokenDeposits]) =>
    toWatchResult(config, tokenScan, resumed, tokenDeposits, coins?.get(resumed) ?? noCoin),
  )
}

function readTokens(
  { rpc, rest }: Node,
  config: ChainConfig,
  reader: LogReader,
  watches: Watch[],
): Promise<TokenScan> {
  return rpc || !rest
    ? readTokensByLogs(rpc!, config, reader, watches)
    : readTokensByIndex(rest, config, watches)
}

function toWatchResult(
  config: ChainConfig,
  { tip, base }: TokenScan,
  resumed: ResumedWatch,
  tokens: TokenDeposits,
  coins: CoinDeposits,
): WatchResult {
  const { cursor, watch } = resumed
  const deposits = [...tokens.deposits, ...coins.deposits].filter(({ height }) => height > cursor.height)
  const isComplete = tokens.isComplete && coins.isComplete
  const settled = commonSettledHeight(config.assets, tip)
  const next = isComplete ? advance(resumed, base, settled, tokens, coins) : cursor
  return {
    attemptId: watch.attemptId,
    detectedPayments: toDetectedPayments(deposits, config.chainId, tip),
    // If a part could not be read, nothing is reported as gone.
    completeFrom: isComplete ? cursor.height + 1 : tip.head.height + 1,
    cursor: writeCursor({ ...next, seen: tip.head.height, seenAt: config.clock() }),
  }
}

/**
 * Logs exist as soon as their block does, so a cursor moves to the newest final block. An index may be behind
 * its chain, so it is read again from the same block until that block is old enough.
 */
function advance(
  { watch, cursor }: ResumedWatch,
  base: BlockRef,
  settled: number,
  tokens: TokenDeposits,
  coins: CoinDeposits,
): Cursor {
  const { balance } = coins
  if (!tokens.isListed && !coins.isListed) {
    const block = base.height > cursor.height ? base : cursor
    return { ...cursor, ...toBlockRef(block), next: null, hasCoinPayments: false, balance }
  }
  const { next } = cursor
  const isReached = next !== null && next.height <= settled && base.at - next.at >= INDEX_LAG_MS
  const block = toBlockRef(isReached ? next : cursor)
  const hasCoinPayments = coins.deposits.some(({ height }) => height > block.height)
  const isDone =
    isReached &&
    !tokens.isListed &&
    watch.asset.contract !== null &&
    !hasCoinPayments &&
    balance === cursor.balance
  const later = base.height > block.height ? base : null
  const following = isReached ? (isDone ? null : later) : (next ?? later)
  return { ...cursor, ...block, next: following, hasCoinPayments, balance }
}
