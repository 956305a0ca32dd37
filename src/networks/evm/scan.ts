import type { Asset } from '../../domain/asset.ts'
import { asserted } from '../../domain/errors.ts'
import { type ChainConfig, coinOf } from '../evm-like/chain-config.ts'
import { readHeaders, requireSameBlock } from '../evm-like/headers.ts'
import type { LogReader } from '../evm-like/logs.ts'
import type { Header } from '../evm-like/rpc-calls.ts'
import { commonSettledHeight, type KnownTips, settledHeight, type Tip } from '../evm-like/tip.ts'
import { readTokenTransfers } from '../evm-like/token-transfers.ts'
import { type DetectedPayment, type Outflow, Undecided, type WatchResult } from '../port.ts'
import type { Node } from '../rpc/batch.ts'
import type { GroupWatch } from '../rpc/rotation.ts'
import type { BalanceChange } from './balance-changes.ts'
import type { BalanceReader } from './balances.ts'
import { readBalanceChanges } from './coin-balance.ts'
import { type CoinDeposit, readCoinDeposits } from './coin-deposits.ts'
import { type PendingChange, writeCursor } from './cursor.ts'
import { coinPayments, tokenPayment } from './payments.ts'
import { advance, chooseFindings, type Findings } from './progress.ts'
import { type ResumedWatch, restartAll, resumeWatches } from './resume.ts'
import { type ComparedTransfers, compareTokens } from './token-comparison.ts'
import { verifyLogs } from './verify.ts'

/** Readers that remember from scan to scan what a node can do. */
interface Readers {
  logs: LogReader
  balances: BalanceReader
  known: KnownTips
}

/**
 * The number of blocks below the newest settled block that are read again for logs and balances: a load
 * balancer can answer from a node that is behind and lacks the logs of the newest blocks.
 */
const MARGIN_BLOCKS = 64
const MARGIN_MS = 600_000

const marginOf = ({ blockTimeMs }: ChainConfig): number =>
  blockTimeMs === null ? MARGIN_BLOCKS : Math.max(MARGIN_BLOCKS, Math.ceil(MARGIN_MS / blockTimeMs))

/** Token transfers and changes of coin balances, as a node reports them. */
interface Reading {
  compared: Map<ResumedWatch, ComparedTransfers>
  changes: Map<ResumedWatch, BalanceChange[]>
  richer: ReadonlySet<ResumedWatch>
}

/** Everything that is needed to read addresses with one node, at one tip. */
interface Reader extends Readers {
  node: Node
  config: ChainConfig
  tip: Tip
}

async function read({ node, config, tip, ...readers }: Reader, watches: ResumedWatch[]): Promise<Reading> {
  const { head } = tip
  const transfers = await readTokenTransfers(node, readers.logs, config, watches, head)
  const { compared, coins } = await compareTokens(node, readers, config, transfers, head)
  if (!coinOf(config)) {
    const changes = [...compared.keys()].map((resumed): [ResumedWatch, BalanceChange[]] => [resumed, []])
    return { compared, changes: new Map(changes), richer: new Set() }
  }
  const settled = commonSettledHeight(config.assets, tip)
  return { compared, ...(await readBalanceChanges(node, coins, compared, head, settled)) }
}

/**
 * Reads addresses since their cursors. An address that held more at its cursor than was reported before is
 * read again from its start, unless the node contradicts the address's state at the start as well.
 */
async function readWholly(reader: Reader, watches: ResumedWatch[]): Promise<Omit<Reading, 'richer'>> {
  const first = await read(reader, watches)
  const restarted = first.richer.size > 0 ? await restartAll(reader.node, [...first.richer]) : new Map()
  const again = restarted.size > 0 ? await read(reader, [...restarted.values()]) : null
  for (const [resumed, fromStart] of restarted) {
    const changes = again?.changes.get(fromStart)
    const transfers = again?.compared.get(fromStart)
    if (!changes || !transfers || again?.richer.has(fromStart)) continue
    first.changes.delete(resumed)
    first.changes.set(fromStart, changes)
    first.compared.set(fromStart, transfers)
  }
  if (first.changes.size === 0 && first.compared.size > 0) {
    throw new Undecided('reports a different history of an account than before')
  }
  return first
}

/**
 * Scans many addresses with one node. All results belong to one head, which is read first, compared in every
 * batch, and read again at the end together with the block of each payment. Throws NetworkError, or Undecided
 * if no watch can be decided on.
 */
export async function scan(
  node: Node,
  config: ChainConfig,
  readers: Readers,
  watches: GroupWatch[],
): Promise<WatchResult[]> {
  const { tip, resumedWatches } = await resumeWatches(node, config, watches)
  readers.known.note(tip.head, config.clock())
  const { compared, changes: found } = await readWholly({ ...readers, node, config, tip }, resumedWatches)
  const settled = commonSettledHeight(config.assets, tip)
  const settledFor = (asset: Asset): number => settledHeight(asset, tip)
  const deep = Math.max(0, settled - marginOf(config))
  const transfersOf = (resumed: ResumedWatch) => asserted(compared.get(resumed), 'each watch is compared')
  const scanned = [...found].map(([resumed, changes]) =>
    chooseFindings(resumed, transfersOf(resumed), changes, { deep, settled, settledFor }),
  )
  const heights = scanned.flatMap(({ deposits, changes, next }) => [
    next,
    ...deposits.map(({ deposit }) => deposit.log.height),
    ...changes.map(({ height }) => height),
  ])
  const blocks = await readHeaders(node, [...heights, settled, tip.head.height])
  for (const known of [tip.head, tip.finalized]) {
    if (known && blocks.has(known.height)) requireSameBlock(blocks, known.height, known.hash)
  }
  await verifyLogs(node, config, scanned, tip)

  const withHashes = (changes: BalanceChange[]): PendingChange[] =>
    changes.map(({ height, amount, sent }) => {
      const { hash } = asserted(blocks.get(height), 'each block was read')
      return { height, amount, sent, hash }
    })
  const coinDeposits = await readCoinDeposits(
    node,
    new Map(scanned.map(({ resumed, newChanges }) => [resumed, withHashes(newChanges)])),
  )
  return scanned.map((findings): WatchResult => {
    const { resumed, changes, completeFrom } = findings
    const deposits = asserted(coinDeposits.get(resumed), 'each watch has its deposits')
    return {
      attemptId: resumed.watch.attemptId,
      detectedPayments: detectedPayments(config, tip, blocks, findings, deposits),
      completeFrom,
      completeTo: tip.head.height,
      cursor: writeCursor({
        ...advance(findings, withHashes(changes), blocks, settled),
        seen: tip.head.height,
        seenAt: config.clock(),
      }),
      ...(resumed.payout !== null && { outflows: finalOutflows(findings, settled) }),
    }
  })
}

function detectedPayments(
  config: ChainConfig,
  tip: Tip,
  blocks: Map<number, Header>,
  { resumed, deposits }: Findings,
  coinDeposits: CoinDeposit[],
): DetectedPayment[] {
  const { address } = resumed
  const coin = coinOf(config)
  const tokens = deposits.map(({ deposit, isCovered }) => {
    const { height, blockHash } = deposit.log
    const payment = tokenPayment(config, deposit, requireSameBlock(blocks, height, blockHash), tip)
    return isCovered ? payment : { ...payment, final: false }
  })
  const blockOf = (deposit: CoinDeposit): Header =>
    asserted(blocks.get(deposit.height), 'each block was read')
  const coins = coinDeposits.flatMap((deposit): DetectedPayment[] =>
    coin ? coinPayments(config, coin, address, deposit, blockOf(deposit), tip) : [],
  )
  return [...tokens, ...coins].filter(
    ({ height, paidAt }) =>
      !isBeforeAllocation(resumed, asserted(height, 'a payment on a chain has its height'), paidAt),
  )
}

const finalOutflows = ({ outflows }: Findings, settled: number): Outflow[] =>
  outflows
    .filter(({ log }) => log.height <= settled)
    .map(({ asset, log }) => ({ txId: log.txHash, assetId: asset.id, height: log.height }))

/**
 * True for a block that is older than the allocation of the address, also on a chain that was replaced since.
 */
function isBeforeAllocation({ cursor, isRestarted }: ResumedWatch, height: number, at: number): boolean {
  const after = cursor.account?.allocatedAfter
  return after !== undefined && height <= after.height && (isRestarted === true || at < after.at)
}
