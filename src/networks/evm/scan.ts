import { type ChainConfig, coinOf } from '../evm-like/chain-config.ts'
import { readHeaders, requireSameBlock } from '../evm-like/headers.ts'
import type { LogReader } from '../evm-like/logs.ts'
import type { Header } from '../evm-like/rpc-calls.ts'
import { commonSettledHeight, type Tip } from '../evm-like/tip.ts'
import { readTokenTransfers, type TokenTransfers } from '../evm-like/token-transfers.ts'
import type { DetectedPayment, Watch, WatchResult } from '../port.ts'
import type { Node } from '../rpc/batch.ts'
import { type BalanceChange, sentUpTo, sumUpTo } from './balance-changes.ts'
import type { BalanceReader } from './balances.ts'
import { readBalanceChanges } from './coin-balance.ts'
import { type CoinDeposit, readCoinDeposits } from './coin-deposits.ts'
import { type Cursor, type PendingChange, writeCursor } from './cursor.ts'
import { coinPayments, tokenPayment } from './payments.ts'
import { type ResumedWatch, resumeWatches } from './resume.ts'
import { verifyLogs } from './verify.ts'

/** These remember from scan to scan what a node can do. */
interface Readers {
  logs: LogReader
  balances: BalanceReader
}

/**
 * Scans many addresses once, with one node. The whole result belongs to one head. The head is read first,
 * compared in every batch, and read again at the end together with the block of each payment. Throws
 * NetworkError.
 */
export async function scan(
  node: Node,
  config: ChainConfig,
  readers: Readers,
  watches: Watch[],
): Promise<WatchResult[]> {
  const { tip, resumedWatches } = await resumeWatches(node, config, watches)
  const transfers = await readTokenTransfers(node, readers.logs, config, resumedWatches, tip.head)
  const found = coinOf(config)
    ? await readBalanceChanges(node, readers.balances, transfers, tip.head)
    : new Map(resumedWatches.map((resumed): [ResumedWatch, BalanceChange[]] => [resumed, []]))
  const scanned = [...found.keys()]
  const heights = scanned.flatMap(resumed => [
    ...transfers.get(resumed)!.deposits.map(({ log }) => log.height),
    ...found.get(resumed)!.map(({ height }) => height),
  ])
  const settled = commonSettledHeight(config.assets, tip)
  const blocks = await readHeaders(node, [...heights, settled, tip.head.height])
  for (const known of [tip.head, tip.finalized]) {
    if (known && blocks.has(known.height)) requireSameBlock(blocks, known.height, known.hash)
  }
  await verifyLogs(node, config, transfers, tip)

  const changes = new Map(
    scanned.map(resumed => [
      resumed,
      found.get(resumed)!.map(change => ({ ...change, hash: blocks.get(change.height)!.hash })),
    ]),
  )
  const coinDeposits = await readCoinDeposits(node, changes)
  const context = { config, tip, blocks, base: blocks.get(settled)! }
  return scanned.map(resumed =>
    toWatchResult(context, {
      resumed,
      transfers: transfers.get(resumed)!,
      changes: changes.get(resumed)!,
      coinDeposits: coinDeposits.get(resumed)!,
    }),
  )
}

interface ScanContext {
  config: ChainConfig
  tip: Tip
  blocks: Map<number, Header>
  /** the newest block that is deep enough for every asset of the chain */
  base: Header
}

interface Findings {
  resumed: ResumedWatch
  transfers: TokenTransfers
  changes: PendingChange[]
  coinDeposits: CoinDeposit[]
}

function toWatchResult(
  { config, tip, blocks, base }: ScanContext,
  { resumed, transfers, changes, coinDeposits }: Findings,
): WatchResult {
  const { watch, payout, cursor, address } = resumed
  const coin = coinOf(config)
  const tokens = transfers.deposits.map(deposit =>
    tokenPayment(config, deposit, requireSameBlock(blocks, deposit.log.height, deposit.log.blockHash), tip),
  )
  const coins = coinDeposits.flatMap((deposit): DetectedPayment[] =>
    coin ? coinPayments(config, coin, address, deposit, blocks.get(deposit.height)!, tip) : [],
  )
  const outflows = transfers.outflows
    .filter(({ log }) => log.height <= base.height)
    .map(({ asset, log }) => ({ txId: log.txHash, assetId: asset.id, height: log.height }))
  return {
    attemptId: watch.attemptId,
    detectedPayments: [...tokens, ...coins].filter(
      ({ height, paidAt }) => !isBeforeAllocation(cursor, height!, paidAt),
    ),
    completeFrom: cursor.height + 1,
    cursor: writeCursor({
      ...advance(cursor, transfers, changes, base),
      seen: tip.head.height,
      seenAt: config.clock(),
    }),
    ...(payout !== null && { outflows }),
  }
}

/** Whether a block is older than the allocation of the address, on a chain that was replaced since then. */
function isBeforeAllocation({ account }: Cursor, height: number, at: number): boolean {
  return account !== null && height <= account.allocatedAfter.height && at < account.allocatedAfter.at
}

/** Moves a cursor to the newest block that is deep enough for every asset of the chain; never back. */
function advance(
  cursor: Cursor,
  { flushes }: TokenTransfers,
  changes: PendingChange[],
  base: Header,
): Cursor {
  if (base.height <= cursor.height) return { ...cursor, changes }
  const { height, hash } = base
  const { account } = cursor
  return {
    ...cursor,
    height,
    hash,
    balance: cursor.balance + sumUpTo(changes, height) - sumUpTo(flushes, height),
    changes: changes.filter(change => change.height > height),
    account: account && { ...account, nonce: account.nonce + sentUpTo(changes, height) },
  }
}
