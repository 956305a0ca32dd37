import { CLOCK_STEP_MS, isWithin, longestTimeSince } from '../../domain/clock.ts'
import { asserted } from '../../domain/errors.ts'
import { readOrigin } from '../address-origin.ts'
import type { ChainConfig } from '../evm-like/chain-config.ts'
import { readTip } from '../evm-like/headers.ts'
import { type Header, headerAt } from '../evm-like/rpc-calls.ts'
import { commonSettledHeight, isLeftBehind, isOutOfReach, type Tip } from '../evm-like/tip.ts'
import { NetworkError, Undecided } from '../port.ts'
import { ask, type Node } from '../rpc/batch.ts'
import { Reorganised } from '../rpc/reorg.ts'
import type { GroupWatch } from '../rpc/rotation.ts'
import { type Cursor, nothingCounted, readCursor } from './cursor.ts'
import { lastBlockBefore } from './elsewhere.ts'
import { balanceAt, nonceAt } from './rpc-calls.ts'
import { startAt } from './start-watch.ts'

/** A watch, with the cursor from which it continues on the present chain. */
export interface ResumedWatch {
  watch: GroupWatch
  /** the address in lower case */
  address: string
  /** the payout wallet of a forwarder, in lower case; null for an account that a merchant has the key of */
  payout: string | null
  cursor: Cursor
  /** true if the watch is read again from its start, although the chain was not replaced */
  isRestarted?: boolean
}

/**
 * Reads the tip, and checks that the chain still has the blocks that the cursors build on. If a cursor's
 * block was replaced, a forwarder restarts at its start, where it was empty, and an account at its anchor, or
 * at the time when it was allocated. An account is left out if the node does not know its state there. Throws
 * NetworkError if the node is behind or has stopped, Undecided if no watch is left.
 */
export async function resumeWatches(
  node: Node,
  config: ChainConfig,
  watches: GroupWatch[],
): Promise<{ tip: Tip; resumedWatches: ResumedWatch[] }> {
  const stored = watches.map(toStoredWatch)
  const cursors = stored.map(({ cursor }) => cursor)
  const heights = cursors.flatMap(({ height, settled, changes }) => [
    height,
    settled.height,
    ...changes.map(change => change.height),
  ])
  const { tip, blocks } = await readTip(node, config, cursors, heights)
  const checked = stored.map(resumed => ({
    ...resumed,
    cursor: onChain(resumed.cursor, config, tip, blocks),
  }))
  const replaced = checked.filter(({ cursor }) => cursor.account && cursor.hash === '')
  if (replaced.length === 0) return { tip, resumedWatches: checked }
  const restarted = await restartAccounts(node, config, tip, replaced)
  const resumedWatches = checked.flatMap(resumed =>
    replaced.includes(resumed) ? (restarted.get(resumed) ?? []) : [resumed],
  )
  if (resumedWatches.length > 0) return { tip, resumedWatches }
  throw new Undecided('does not know the state of an account at an earlier block')
}

function toStoredWatch(watch: GroupWatch): ResumedWatch {
  const origin = readOrigin(watch.source)
  return {
    watch,
    address: watch.address.toLowerCase(),
    payout: origin.kind === 'create2' ? origin.payout.toLowerCase() : null,
    cursor: readCursor(watch.cursor),
  }
}

/** A chain may grow this many times faster than usual. */
const GROWTH_MAX = 2

/**
 * Corrects the start of a forwarder whose blocks were replaced, since a node may have invented them. The new
 * start is no later than where the chain must have been when the address was allocated: the forwarder was
 * empty then. With `isLow`, the stored start is of a shorter chain, and is ignored.
 */
function withTrueStart(
  cursor: Cursor,
  { assets, blockTimeMs, clock }: ChainConfig,
  tip: Tip,
  isLow: boolean,
): Cursor {
  const { startedAt, account } = cursor
  const startHeight = isLow ? tip.head.height : cursor.startHeight
  const isRegular = blockTimeMs !== null
  if (account || (!isRegular && startHeight <= tip.head.height)) return cursor
  // A private chain has no regular time between blocks, so the start is block 0.
  const grown = isRegular ? Math.ceil((GROWTH_MAX * longestTimeSince(startedAt, clock())) / blockTimeMs) : 0
  const newest = isRegular ? commonSettledHeight(assets, tip) - grown : 0
  return { ...cursor, startHeight: Math.max(0, Math.min(startHeight, newest)) }
}

/**
 * Drops everything from a cursor that is no longer on the chain. The cursor's hash is empty if its own block
 * is gone. Throws NetworkError if the head is false.
 */
function onChain(
  cursor: Cursor,
  config: ChainConfig,
  tip: Tip,
  blocks: ReadonlyMap<number, Header | undefined>,
): Cursor {
  const { height, hash } = cursor
  const isLow = isLeftBehind(config, tip.head, cursor, blocks.get(height))
  if (isLow || blocks.get(height)?.hash !== hash)
    return restartedEmpty(withTrueStart(cursor, config, tip, isLow))
  const changes = cursor.changes.filter(change => blocks.get(change.height)?.hash === change.hash)
  const isSettled = blocks.get(cursor.settled.height)?.hash === cursor.settled.hash
  return isSettled ? { ...cursor, changes } : { ...cursor, changes, settled: { height, hash }, reported: '' }
}

/** Moves a cursor to a block above which nothing was read. */
const restartedAt = (cursor: Cursor, block: { height: number; hash: string }): Cursor => ({
  ...cursor,
  ...nothingCounted,
  ...block,
  settled: block,
})

const restartedEmpty = (cursor: Cursor): Cursor =>
  restartedAt({ ...cursor, balance: 0n, changes: [] }, { height: cursor.startHeight, hash: '' })

/**
 * Restarts watches: a forwarder at its start, where it was empty, and an account with its state at the
 * anchor. An account is missing if the node does not know that state. Throws NetworkError.
 */
export async function restartAll(
  node: Node,
  watches: ResumedWatch[],
): Promise<Map<ResumedWatch, ResumedWatch>> {
  const forwarders = watches.filter(({ cursor }) => cursor.account === null)
  const accounts = watches.filter(({ cursor }) => cursor.account !== null)
  const restarted = accounts.length > 0 ? await restartAtAnchors(node, accounts) : []
  return new Map([
    ...forwarders.map((resumed): [ResumedWatch, ResumedWatch] => [
      resumed,
      { ...resumed, cursor: restartedEmpty(resumed.cursor) },
    ]),
    ...[...restarted].map(([resumed, fromAnchor]): [ResumedWatch, ResumedWatch] => [
      resumed,
      { ...fromAnchor, isRestarted: true },
    ]),
  ])
}

/**
 * Restarts accounts at their anchors, or if an endpoint may have invented the anchor, at the time when the
 * account was allocated. An account is missing if the node does not know its state there.
 */
async function restartAccounts(
  node: Node,
  config: ChainConfig,
  tip: Tip,
  replaced: ResumedWatch[],
): Promise<Map<ResumedWatch, ResumedWatch>> {
  const restarted = await restartAtAnchors(node, replaced)
  // A private chain has no regular time between blocks, so times do not show where an account began.
  if (config.blockTimeMs === null) return restarted
  const doubtful = replaced.filter(resumed => {
    const { account } = resumed.cursor
    const isKept = restarted.get(resumed)?.cursor.hash === account?.anchor.hash
    return !isKept || isOutOfReach(config, tip.head, resumed.cursor)
  })
  for (const resumed of doubtful) {
    restarted.delete(resumed)
    const cursor = await restartedAtAllocation(node, config, tip, resumed)
    if (cursor) restarted.set(resumed, { ...resumed, cursor })
  }
  return restarted
}

/**
 * The time of the newest block when an account was allocated, unless it differs from the server's clock by so
 * much that the block was probably invented. If the clock was wrong, payments would be missed by its time, or
 * earlier money counted.
 */
const allocatedAt = ({ startedAt, account }: Cursor): number =>
  account && isWithin(CLOCK_STEP_MS, account.allocatedAfter.at, startedAt)
    ? account.allocatedAfter.at
    : startedAt

async function restartedAtAllocation(
  node: Node,
  config: ChainConfig,
  tip: Tip,
  { watch, cursor }: ResumedWatch,
): Promise<Cursor | null> {
  try {
    const since = allocatedAt(cursor)
    const start = await lastBlockBefore(node, config, tip, since)
    return readCursor(await startAt(node, config, watch, tip, { start, since }))
  } catch (error) {
    if (error instanceof Reorganised || !(error instanceof NetworkError)) throw error
    return null
  }
}

/**
 * Restarts accounts at their anchors. If an anchor was replaced, the account restarts with the present state
 * at the anchor's height.
 */
async function restartAtAnchors(
  node: Node,
  replaced: ResumedWatch[],
): Promise<Map<ResumedWatch, ResumedWatch>> {
  const headers = await ask(
    node,
    replaced.map(({ cursor }) =>
      headerAt(asserted(cursor.account, 'the watch has an account').anchor.height),
    ),
  )
  const states = await ask(
    node,
    replaced.flatMap(({ address, cursor }) => {
      const { height } = asserted(cursor.account, 'the watch has an account').anchor
      return [balanceAt(address, height), nonceAt(address, height)]
    }),
  )
  const restarted = replaced.flatMap((resumed, index): [ResumedWatch, ResumedWatch][] => {
    const { cursor } = resumed
    const { anchor } = asserted(cursor.account, 'the watch has an account')
    const hash = headers[index]?.hash
    const isSame = hash === anchor.hash
    const balance = isSame ? anchor.balance : (states[2 * index] ?? null)
    const nonce = isSame ? anchor.nonce : (states[2 * index + 1] ?? null)
    if (hash === undefined || balance === null || nonce === null) return []
    const account = { ...asserted(cursor.account, 'the watch has an account'), nonce }
    const start = restartedAt({ ...cursor, changes: [] }, { height: anchor.height, hash })
    const restartedCursor = { ...start, balance, account }
    return [[resumed, { ...resumed, cursor: restartedCursor }]]
  })
  return new Map(restarted)
}
