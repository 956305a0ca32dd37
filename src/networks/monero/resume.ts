import type { Asset } from '../../domain/asset.ts'
import { assert } from '../../domain/errors.ts'
import type { Json } from '../../domain/metadata.ts'
import { readMonero } from '../addresses/monero.ts'
import { NetworkError, type Watch } from '../port.ts'
import { Reorganised } from '../rpc/reorg.ts'
import { type Cursor, isSeen, readCursor } from './cursor.ts'
import type { Daemon, Header } from './daemon.ts'
import { currentStanding, isMain } from './verify.ts'

/** A watch with where it really goes on from, on the chain as it is now. */
export interface ResumedWatch {
  watch: Watch
  /** the public spend key of its subaddress, in hex */
  spendKey: string
  /** private, in hex */
  viewKey: string
  cursor: Cursor
}

/** The newest blocks of one chain, without a gap. */
export interface Chain {
  tip: Header
  /** above a height that was read */
  above(height: number): Header[]
  at(height: number): Header | undefined
}

/** A block comes every two minutes, and its miner's clock may be wrong by two hours. */
const STALE_MS = 4 * 3_600_000
const VIEW_KEY = /^[0-9a-f]{64}$/

/** The private view key that an address was made with. */
export function viewKeyOf(source: Json): string {
  const { kind, viewKey } = source as { [key: string]: Json }
  assert(kind === 'viewkey' && typeof viewKey === 'string', 'a Monero address is made with a view key')
  assert(VIEW_KEY.test(viewKey), 'a view key is 32 bytes in hex')
  return viewKey
}

/** The highest block that is deep enough for an asset to settle. */
export const settledHeight = ({ confirmations }: Asset, tip: { height: number }): number =>
  Math.max(0, tip.height - Math.max(confirmations, 1) + 1)

/**
 * Reads the chain from where the cursors are, and whether it still holds what they rest on. One whose block
 * has gone begins anew at its opening. Throws NetworkFault for a daemon that knows less than was known.
 */
export async function resumeWatches(
  daemon: Daemon,
  watches: Watch[],
  now: number,
): Promise<{ chain: Chain; resumedWatches: ResumedWatch[] }> {
  const standing = await currentStanding(daemon)
  const cursors = watches.map(watch => readCursor(watch.cursor))
  const known = await readChain(daemon, standing, Math.min(...cursors.map(({ height }) => height)))
  if (isMain(standing) && now - known.tip.at > STALE_MS) {
    throw new NetworkError(`stands still at block ${standing.height}`)
  }
  const resumedWatches = watches.map((watch, index): ResumedWatch => {
    const address = readMonero(watch.address)
    assert(address?.kind === 'subaddress', 'a subaddress is watched')
    const spendKey = Buffer.from(address.spendKey).toString('hex')
    const viewKey = viewKeyOf(watch.source)
    return { watch, spendKey, viewKey, cursor: onChain(cursors[index]!, known) }
  })
  const lowest = Math.min(...resumedWatches.map(({ cursor }) => cursor.height))
  const chain = known.at(lowest) ? known : await readChain(daemon, standing, lowest)
  return { chain, resumedWatches }
}

async function readChain(
  daemon: Daemon,
  { height, hash }: { height: number; hash: string },
  from: number,
): Promise<Chain> {
  const lowest = Math.min(from, height)
  const headers = await daemon.headers(lowest, height)
  const tip = headers.at(-1)!
  if (tip.hash !== hash) throw new Reorganised()
  return {
    tip,
    above: below => headers.slice(below + 1 - lowest),
    at: wanted => (wanted < lowest ? undefined : headers[wanted - lowest]),
  }
}

/** A shorter chain is another one where its newest block is, and otherwise one that is not all told. */
function onChain(cursor: Cursor, { tip, at }: Chain): Cursor {
  if (tip.height < cursor.seen && isSeen(cursor, tip) !== false) {
    throw new NetworkError(`is behind: at block ${tip.height}, while block ${cursor.seen} was seen before`)
  }
  if (at(cursor.height)?.hash === cursor.hash) return cursor
  return { ...cursor, height: cursor.opened, keys: [] }
}
