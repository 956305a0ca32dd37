import { ask, type Node } from '../rpc/batch.ts'
import { Reorganised } from '../rpc/reorg.ts'
import type { ChainConfig } from './chain-config.ts'
import type { ResumedWatch } from './resume.ts'
import { type Log, outcomeOf } from './rpc-calls.ts'
import { settledHeight, type Tip } from './tip.ts'
import type { Movements } from './token-transfers.ts'

const isSame = (a: Log, b: Log): boolean =>
  a.contract === b.contract &&
  a.index === b.index &&
  a.bytes === b.bytes &&
  a.blockHash === b.blockHash &&
  a.topics.join() === b.topics.join()

/**
 * Asks for the receipts of the token payments that are deep enough to settle. A node whose search for logs
 * tells what no transaction of its own did, or one that failed, is out of step with itself. Throws
 * NetworkFault.
 */
export async function proveLogs(
  node: Node,
  config: ChainConfig,
  movements: Map<ResumedWatch, Movements>,
  tip: Tip,
): Promise<void> {
  const deep = config.assets.map(asset => [asset.id, settledHeight(asset, tip)] as const)
  const settled = new Map(deep)
  const logs = [...movements.values()]
    .flatMap(({ payments }) => payments)
    .filter(({ asset, log }) => log.height <= settled.get(asset.id)!)
    .map(({ log }) => log)
  const outcomes = await ask(
    node,
    logs.map(({ txHash }) => outcomeOf(txHash)),
  )
  for (const [index, log] of logs.entries()) {
    const outcome = outcomes[index]
    const isProven = outcome?.succeeded && outcome.logs.some(other => isSame(other, log))
    if (!isProven || outcome.blockHash !== log.blockHash) throw new Reorganised()
  }
}
