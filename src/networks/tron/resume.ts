import type { ChainConfig } from '../evm-like/chain-config.ts'
import { readTip } from '../evm-like/headers.ts'
import { requireCurrent, type Tip } from '../evm-like/tip.ts'
import { NetworkError, type Watch } from '../port.ts'
import type { JsonRpc } from '../rpc/json-rpc.ts'
import { toEvmAddress } from './address.ts'
import { type Cursor, readCursor } from './cursor.ts'
import type { Rest } from './rest-api.ts'

/** A watch, with the cursor that it continues from on the chain as it is now. */
export interface ResumedWatch {
  watch: Watch
  /** in the form of the EVM */
  address: string
  /** no address of TRON is a forwarder */
  payout: null
  /** what this scan reads; in a review, everything since the start */
  cursor: Cursor
  /** the cursor that the next one is made from */
  stored: Cursor
  isReview: boolean
}

interface Resumed {
  tip: Tip
  resumedWatches: ResumedWatch[]
}

type Hashes = ReadonlyMap<number, string | undefined>

/** Everything is read again this often, because an answer that left something out looks like any other. */
const REVIEW_MS = 24 * 3_600_000
/** How many times faster than usual a chain may have grown since a block that is known. */
const GROWTH_MAX = 2
/** More blocks than a chain can be ahead of its clock. */
const GROWTH_MIN = 1000

/**
 * Reads the tip, and checks that the chain still has the blocks that the cursors build on. A watch whose
 * block is gone restarts at its first block. Throws NetworkError if the node is behind or has stopped.
 */
export async function resumeByRpc(rpc: JsonRpc, config: ChainConfig, watches: Watch[]): Promise<Resumed> {
  const cursors = watches.map(({ cursor }) => readCursor(cursor))
  const heights = cursors.flatMap(({ height, settled }) => [height, settled.height])
  const { tip, hashes } = await readTip(rpc, config, cursors, heights)
  requirePlausible(config, tip, cursors)
  const now = config.clock()
  const resumedWatches = watches.map((watch, index) => resume(watch, onChain(cursors[index]!, hashes), now))
  return { tip, resumedWatches }
}

/** The same without JSON-RPC, which can't compare blocks. Throws NetworkError. */
export async function resumeByRest(rest: Rest, config: ChainConfig, watches: Watch[]): Promise<Resumed> {
  const finalized = await rest.newest('walletsolidity')
  const head = await rest.newest('wallet')
  const tip = { head, finalized }
  const cursors = watches.map(({ cursor }) => readCursor(cursor))
  requireCurrent(config, tip, cursors)
  requirePlausible(config, tip, cursors)
  const now = config.clock()
  return { tip, resumedWatches: watches.map((watch, index) => resume(watch, cursors[index]!, now)) }
}

function resume(watch: Watch, stored: Cursor, now: number): ResumedWatch {
  const isReview = now - stored.reviewedAt >= REVIEW_MS
  const cursor = isReview ? { ...stored, ...stored.start } : stored
  return { watch, address: toEvmAddress(watch.address), payout: null, cursor, stored, isReview }
}

/** A cursor without the blocks that the chain has replaced. */
function onChain(cursor: Cursor, hashes: Hashes): Cursor {
  const { height, hash, at, start, settled } = cursor
  if (hashes.get(height) !== hash)
    return { ...cursor, ...start, settled: start, finalTo: start.height, next: null }
  const known = hashes.get(settled.height)
  const isReplaced = known !== undefined && known !== settled.hash
  return isReplaced ? { ...cursor, settled: { height, hash, at }, finalTo: height, next: null } : cursor
}

/** Throws NetworkError for a head that the chain can't have reached: reading up to it would have no end. */
function requirePlausible({ blockTimeMs, clock }: ChainConfig, { head }: Tip, cursors: Cursor[]): void {
  if (blockTimeMs === null) return
  const now = clock()
  const isFar = cursors.some(({ height, at }) => {
    const grown = Math.max(0, now - at) / blockTimeMs
    return head.height - height > GROWTH_MAX * grown + GROWTH_MIN
  })
  if (isFar) throw new NetworkError(`reports block ${head.height}, which the chain cannot have reached`)
}
