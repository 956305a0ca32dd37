import type { ChainConfig } from '../evm-like/chain-config.ts'
import type { Log } from '../evm-like/rpc-calls.ts'
import { settledHeight, type Tip } from '../evm-like/tip.ts'
import type { TokenTransfers } from '../evm-like/token-transfers.ts'
import { ask, type Node } from '../rpc/batch.ts'
import { Reorganised } from '../rpc/reorg.ts'
import type { ResumedWatch } from './resume.ts'
import { receiptOf } from './rpc-calls.ts'

const isSame = (a: Log, b: Log): boolean =>
  a.contract === b.contract &&
  a.index === b.index &&
  a.bytes === b.bytes &&
  a.blockHash === b.blockHash &&
  a.topics.join() === b.topics.join()

/**
 * Compares the token deposits that are deep enough to settle with the receipts of their transactions. A log
 * that no receipt of a successful transaction contains makes the node inconsistent. Throws NetworkError.
 */
export async function verifyLogs(
  node: Node,
  config: ChainConfig,
  transfers: Map<ResumedWatch, TokenTransfers>,
  tip: Tip,
): Promise<void> {
  const settled = new Map(config.assets.map(asset => [asset.id, settledHeight(asset, tip)]))
  const logs = [...transfers.values()]
    .flatMap(({ deposits }) => deposits)
    .filter(({ asset, log }) => log.height <= settled.get(asset.id)!)
    .map(({ log }) => log)
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
