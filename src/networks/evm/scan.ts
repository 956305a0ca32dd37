import type { DetectedPayment, Watch, WatchResult } from '../port.ts'
import type { Node } from '../rpc/batch.ts'
import { type Step, sentUpTo, sumUpTo } from './balance-changes.ts'
import type { BalanceReader } from './balances.ts'
import { type ChainConfig, coinOf } from './chain-config.ts'
import { readChanges } from './coin-balance.ts'
import { type CoinArrival, readArrivals } from './coin-deposits.ts'
import { type Change, type Cursor, printCursor } from './cursor.ts'
import { readHeaders, sameBlock } from './headers.ts'
import type { LogReader } from './logs.ts'
import { coinPayments, tokenPayment } from './payments.ts'
import { type ResumedWatch, resumeWatches } from './resume.ts'
import type { Header } from './rpc-calls.ts'
import { commonHeight, type Tip } from './tip.ts'
import { type Movements, readMovements } from './token-transfers.ts'
import { proveLogs } from './verify.ts'

/** What is learnt of nodes from look to look. */
interface Readers {
  logs: LogReader
  balances: BalanceReader
}

/**
 * Looks once at many addresses, with one node. All that is told rests on one head: it is read first, with
 * every answer, and at last together with the block of each payment. Throws NetworkFault.
 */
export async function look(
  node: Node,
  config: ChainConfig,
  readers: Readers,
  watches: Watch[],
): Promise<WatchResult[]> {
  const { tip, resumedWatches: standing } = await resumeWatches(node, config, watches)
  const movements = await readMovements(node, readers.logs, config, standing, tip.head)
  const found = coinOf(config)
    ? await readChanges(node, readers.balances, movements, tip.head)
    : new Map(standing.map((resumed): [ResumedWatch, Step[]] => [resumed, []]))
  const resumedWatches = [...found.keys()]
  const heights = resumedWatches.flatMap(resumed => [
    ...movements.get(resumed)!.payments.map(({ log }) => log.height),
    ...found.get(resumed)!.map(({ height }) => height),
  ])
  const height = commonHeight(config.assets, tip)
  const blocks = await readHeaders(node, [...heights, height, tip.head.height])
  for (const known of [tip.head, tip.finalized]) {
    if (known && blocks.has(known.height)) sameBlock(blocks, known.height, known.hash)
  }
  await proveLogs(node, config, movements, tip)

  const changes = new Map(
    resumedWatches.map(resumed => [
      resumed,
      found.get(resumed)!.map(change => ({ ...change, hash: blocks.get(change.height)!.hash })),
    ]),
  )
  const arrivals = await readArrivals(node, changes)
  const scene = { config, tip, blocks, base: blocks.get(height)! }
  return resumedWatches.map(resumed =>
    told(scene, resumed, movements.get(resumed)!, changes.get(resumed)!, arrivals.get(resumed)!),
  )
}

interface Scene {
  config: ChainConfig
  tip: Tip
  blocks: Map<number, Header>
  /** the newest block that is deep enough for every asset of the chain */
  base: Header
}

function told(
  { config, tip, blocks, base }: Scene,
  resumed: ResumedWatch,
  seen: Movements,
  changes: Change[],
  arrivals: CoinArrival[],
): WatchResult {
  const { watch, payout, cursor, address } = resumed
  const coin = coinOf(config)
  const tokens = seen.payments.map(payment =>
    tokenPayment(config, payment, sameBlock(blocks, payment.log.height, payment.log.blockHash), tip),
  )
  const coins = arrivals.flatMap((arrival): DetectedPayment[] =>
    coin ? coinPayments(config, coin, address, arrival, blocks.get(arrival.height)!, tip) : [],
  )
  const outflows = seen.outflows
    .filter(({ log }) => log.height <= base.height)
    .map(({ asset, log }) => ({ txId: log.txHash, assetId: asset.id, height: log.height }))
  return {
    attemptId: watch.attemptId,
    detectedPayments: [...tokens, ...coins].filter(
      ({ height, paidAt }) => !wasBefore(cursor, height!, paidAt),
    ),
    completeFrom: cursor.height + 1,
    cursor: printCursor({
      ...movedOn(cursor, seen, changes, base),
      seen: tip.head.height,
      seenAt: config.clock(),
    }),
    ...(payout !== null && { outflows }),
  }
}

/** Whether a block is older than the attempt, on a chain that was replaced since then. */
function wasBefore({ account }: Cursor, height: number, at: number): boolean {
  return account !== null && height <= account.givenOut.height && at < account.givenOut.at
}

/** Up to the newest block that is deep enough for every asset of the chain; never back. */
function movedOn(cursor: Cursor, { flushes }: Movements, changes: Change[], base: Header): Cursor {
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
