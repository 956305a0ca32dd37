import { asserted } from '../../domain/errors.ts'
import type { Json } from '../../domain/metadata.ts'
import { latestHeader } from '../evm-like/rpc-calls.ts'
import { isFromFuture } from '../evm-like/tip.ts'
import { ask } from '../rpc/batch.ts'
import { readCursor } from './cursor.ts'
import type { Node } from './node.ts'

/**
 * Returns a check of the time that an endpoint reported with the first block of a watch, to be done with
 * another endpoint; null unless the time is later than now. If the block is false, the watch restarts by its
 * time, and would miss the payments until then.
 */
export function timeCheck(clock: () => number, cursor: Json): ((node: Node) => Promise<boolean>) | null {
  const { reportedAt = 0 } = readCursor(cursor)
  if (!isFromFuture(reportedAt, clock())) return null
  return async ({ rpc, rest }) => {
    const [head] = rpc
      ? await ask(rpc, [latestHeader])
      : [await asserted(rest, 'a node serves JSON-RPC or REST').newest('wallet')]
    return isFromFuture(reportedAt, clock(), head.at)
  }
}
