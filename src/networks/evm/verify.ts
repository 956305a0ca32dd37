import { asserted } from '../../domain/errors.ts'
import type { ChainConfig } from '../evm-like/chain-config.ts'
import type { Log } from '../evm-like/rpc-calls.ts'
import { settledHeight, type Tip } from '../evm-like/tip.ts'
import { ask, type Node } from '../rpc/batch.ts'
import { Reorganised } from '../rpc/reorg.ts'
import type { Findings } from './progress.ts'
import { receiptOf } from './rpc-calls.ts'

const isSame = (a: Log, b: Log): boolean =>
  a.contract === b.contract &&
  a.index === b.index &&
  a.bytes === b.bytes &&
  a.blockHash === b.blockHash &&
  a.topics.join() === b.topics.join()

/**
 * Max deposits of an address that are verified. The largest come first. For the others, it is enough that the
 * balance covers the sum of all deposits.
 */
const RECEIPTS_MAX = 100

/**
 * Compares token deposits that are deep enough to settle with the receipts of their transactions. Throws
 * Reorganised for a log that is not in the receipt of a successful transaction.
 */
export async function verifyLogs(
  node: Node,
  config: ChainConfig,
  findings: Findings[],
  tip: Tip,
): Promise<void> {
  const settled = new Map(config.assets.map(asset => [asset.id, settledHeight(asset, tip)]))
  const logs = findings.flatMap(({ deposits }) =>
    deposits
      .filter(
        ({ deposit: { asset, log } }) =>
          log.height <= asserted(settled.get(asset.id), 'each asset has a settled height'),
      )
      .toSorted(({ deposit: a }, { deposit: b }) => (a.amount > b.amount ? -1 : a.amount < b.amount ? 1 : 0))
      .slice(0, RECEIPTS_MAX)
      .map(({ deposit }) => deposit.log),
  )
  const receipts = await ask(
    node,
    logs.map(({ txHash }) => receiptOf(txHash)),
  )
  for (const [index, log] of logs.entries()) {
    const receipt = receipts[index]
    const isVerified = receipt?.succeeded && receipt.logs.some(other => isSame(other, log))
    if (!isVerified || receipt.blockHash !== log.blockHash) throw new Reorganised()
  }
}
