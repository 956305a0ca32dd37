import { CLOCK_STEP_MS, isWithin, longestTimeSince } from '../../domain/clock.ts'
import { asserted } from '../../domain/errors.ts'
import type { ChainConfig } from '../evm-like/chain-config.ts'
import { readTip } from '../evm-like/headers.ts'
import { type Header, headerAt } from '../evm-like/rpc-calls.ts'
import { commonSettledHeight, isLeftBehind, isOutOfReach, requireCurrent, type Tip } from '../evm-like/tip.ts'
import { ask } from '../rpc/batch.ts'
import type { JsonRpc } from '../rpc/json-rpc.ts'
import type { GroupWatch } from '../rpc/rotation.ts'
import { toEvmAddress } from './address.ts'
import { type Cursor, listKey, readCursor } from './cursor.ts'
import type { Rest } from './rest-api.ts'

/** A watch, with the cursor from which it continues on the present chain. */
export interface ResumedWatch {
  watch: GroupWatch
  /** the address in the form of the EVM */
  address: string
  /** always null, since TRON has no forwarders */
  payout: null
  /** the position from which this scan reads; in a review, the start */
  cursor: Cursor
  /** the stored cursor, from which the next cursor is made */
  stored: Cursor
  isReview: boolean
  /** the host of the endpoint that scans */
  host: string
}

interface Resumed {
  tip: Tip
  resumedWatches: ResumedWatch[]
}

type Blocks = ReadonlyMap<number, Header | undefined>

/**
 * Everything since the start of a watch is read again after this time, and when another endpoint is
 * requested, because an answer that leaves payments out cannot be recognised.
 */
const REVIEW_MS = 24 * 3_600_000

/**
 * Resumes watches by JSON-RPC. Reads the tip, and checks that the chain still has the blocks that the cursors
 * build on. A watch whose block was replaced restarts at its first block. Throws NetworkError if the node is
 * behind or has stopped.
 */
export async function resumeByRpc(
  rpc: JsonRpc,
  config: ChainConfig,
  watches: GroupWatch[],
): Promise<Resumed> {
  const cursors = watches.map(({ cursor }) => readCursor(cursor))
  const heights = cursors.flatMap(({ height, settled }) => [height, settled.height])
  const { tip, blocks } = await readTip(rpc, config, cursors, heights)
  const now = config.clock()
  const started = cursors.map(cursor => {
    const isLow = isLeftBehind(config, tip.head, cursor, blocks.get(cursor.height))
    return withTrueStart(cursor, config, tip, isLow)
  })
  const invented = started.filter((cursor, index) => cursor !== cursors[index])
  const headers = await ask(
    rpc,
    invented.map(({ start }) => headerAt(start.height)),
  )
  const known = new Map(invented.map((cursor, index) => [cursor, headers[index]?.hash ?? '']))
  const resumedWatches = watches.map((watch, index) => {
    const cursor = asserted(started[index], 'each watch has a cursor')
    const hash = known.get(cursor)
    const isTrue = hash === undefined
    return resume(watch, isTrue ? onChain(cursor, blocks) : restarted(cursor, hash), { now, host: rpc.host })
  })
  return { tip, resumedWatches }
}

/** Resumes watches by REST, which does not show whether blocks were replaced. Throws NetworkError. */
export async function resumeByRest(rest: Rest, config: ChainConfig, watches: GroupWatch[]): Promise<Resumed> {
  const finalized = await rest.newest('walletsolidity')
  const head = await rest.newest('wallet')
  const tip = { head, finalized }
  const cursors = watches.map(({ cursor }) => readCursor(cursor))
  requireCurrent(config, tip, cursors)
  const now = config.clock()
  const resumedWatches: ResumedWatch[] = []
  for (const [index, watch] of watches.entries()) {
    const stored = asserted(cursors[index], 'each watch has a cursor')
    const isFar = isOutOfReach(config, head, stored)
    const isLow = isFar && isLeftBehind(config, head, stored, await rest.blockAt(stored.height))
    const cursor = withTrueStart(stored, config, tip, isLow)
    const resumed = cursor === stored ? cursor : restarted(cursor, '')
    resumedWatches.push(resume(watch, resumed, { now, host: rest.host }))
  }
  return { tip, resumedWatches }
}

function resume(
  watch: GroupWatch,
  stored: Cursor,
  { now, host }: { now: number; host: string },
): ResumedWatch {
  const isAsked = watch.isTakenOver === true && watch.elsewhere === true
  // A list that took several scans is not read again.
  const { lists = {} } = stored
  const isLong = listKey('tokens', host) in lists || listKey('coin', host) in lists
  const isReview = !isLong && (isAsked || !isWithin(REVIEW_MS, stored.reviewedAt, now))
  const cursor = isReview ? { ...stored, ...stored.start } : stored
  return { watch, address: toEvmAddress(watch.address), payout: null, cursor, stored, isReview, host }
}

/**
 * Corrects a watch that begins above the head, because the endpoint that opened it reported a false height,
 * and a watch that an endpoint moved far down (`isLow`). The new start is where the chain must have been when
 * the watch was opened. Payments that are older than the newest solid block of that time do not count. If the
 * time of that block is implausible, only payments count that a wrong clock explains.
 */
function withTrueStart(
  cursor: Cursor,
  { assets, blockTimeMs, clock }: ChainConfig,
  tip: Tip,
  isLow: boolean,
) {
  const { start, startedAt, reportedAt = start.at } = cursor
  if (start.height <= tip.head.height && !isLow) return cursor
  const now = clock()
  const settled = commonSettledHeight(assets, tip)
  const grown = blockTimeMs === null ? settled : Math.ceil(longestTimeSince(startedAt, now) / blockTimeMs)
  const height = Math.max(0, settled - grown)
  const isPlausible = isWithin(CLOCK_STEP_MS, reportedAt, startedAt)
  const at = isPlausible ? reportedAt : Math.max(0, startedAt - CLOCK_STEP_MS)
  return { ...cursor, start: { height, hash: '', at } }
}

/** Moves a cursor back to its start, whose block has this hash. */
function restarted(cursor: Cursor, hash: string): Cursor {
  const start = { ...cursor.start, hash }
  return { ...cursor, ...start, start, settled: start, finalTo: start.height, next: null }
}

/** Drops the blocks that the chain has replaced from a cursor. */
function onChain(cursor: Cursor, blocks: Blocks): Cursor {
  const { height, hash, at, start, settled } = cursor
  if (blocks.get(height)?.hash !== hash) return restarted(cursor, start.hash)
  const known = blocks.get(settled.height)?.hash
  const isReplaced = known !== undefined && known !== settled.hash
  return isReplaced ? { ...cursor, settled: { height, hash, at }, finalTo: height, next: null } : cursor
}
