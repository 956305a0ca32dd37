import type { ChainConfig } from '../evm-like/chain-config.ts'
import { balanceAt, type Header, headerAt, nonceAt } from '../evm-like/rpc-calls.ts'
import { isStale, newestSeen, type Tip, tipQuestions } from '../evm-like/tip.ts'
import { NetworkError, type Watch } from '../port.ts'
import { ask, type Node } from '../rpc/batch.ts'
import { type Cursor, readCursor } from './cursor.ts'
import { isForwarder } from './forwarder/recovery.ts'

/** A watch with where it really goes on from, on the chain as it is now. */
export interface ResumedWatch {
  watch: Watch
  /** in lower case */
  address: string
  /** where a forwarder pays to, in lower case; null for an account that a merchant has the key of */
  payout: string | null
  cursor: Cursor
}

/**
 * Reads the tip, and whether the chain still holds what the cursors rest on. One whose block has gone begins
 * anew: a forwarder at its opening, where it was fresh and empty, an account at its anchor. An account of
 * which the node does not know how it stood there is left out. Throws NetworkFault for a node that knows less
 * than was known.
 */
export async function resumeWatches(
  node: Node,
  config: ChainConfig,
  watches: Watch[],
): Promise<{ tip: Tip; resumedWatches: ResumedWatch[] }> {
  const resumedWatches = watches.map(resumedOf)
  const heights = resumedWatches.flatMap(({ cursor: { height, changes } }) => [
    height,
    ...changes.map(change => change.height),
  ])
  const wanted = [...new Set(heights)]
  const [head, finalized, ...headers] = await ask<[Header, Header | null, ...(Header | null)[]]>(node, [
    ...tipQuestions,
    ...wanted.map(headerAt),
  ])
  const tip = { head, finalized }
  checkTip(config, tip, resumedWatches)
  const hashes = new Map(wanted.map((height, index) => [height, headers[index]?.hash]))
  const standing = resumedWatches.map(resumed => ({ ...resumed, cursor: standingOf(resumed.cursor, hashes) }))
  const lost = standing.filter(({ cursor }) => cursor.account && cursor.hash === '')
  if (lost.length === 0) return { tip, resumedWatches: standing }
  const found = await atAnchors(node, lost)
  const kept = standing.flatMap(resumed => (lost.includes(resumed) ? (found.get(resumed) ?? []) : [resumed]))
  if (kept.length > 0) return { tip, resumedWatches: kept }
  throw new NetworkError('does not know how an account stood before its chain was replaced')
}

const resumedOf = (watch: Watch): ResumedWatch => ({
  watch,
  address: watch.address.toLowerCase(),
  payout: isForwarder(watch.source) ? watch.source.payout.toLowerCase() : null,
  cursor: readCursor(watch.cursor),
})

function checkTip({ blockTimeMs, clock }: ChainConfig, tip: Tip, resumedWatches: ResumedWatch[]): void {
  const { height } = tip.head
  const now = clock()
  const newest = newestSeen(
    resumedWatches.map(({ cursor }) => cursor),
    now,
  )
  if (height < newest) {
    throw new NetworkError(`is behind: at block ${height}, while block ${newest} was seen before`)
  }
  if (isStale(blockTimeMs, tip, now)) throw new NetworkError(`stands still at block ${height}`)
}

/** Without a hash where its block has gone. */
function standingOf(cursor: Cursor, hashes: Map<number, string | undefined>): Cursor {
  if (hashes.get(cursor.height) !== cursor.hash) {
    return { ...cursor, height: cursor.opened, hash: '', balance: 0n, changes: [] }
  }
  const changes = cursor.changes.filter(({ height, hash }) => hashes.get(height) === hash)
  return { ...cursor, changes }
}

/** What they held at their anchors; on a chain that was replaced below those too, what they hold there. */
async function atAnchors(node: Node, lost: ResumedWatch[]): Promise<Map<ResumedWatch, ResumedWatch>> {
  const headers = await ask(
    node,
    lost.map(({ cursor }) => headerAt(cursor.account!.anchor.height)),
  )
  const states = await ask(
    node,
    lost.flatMap(({ address, cursor }) => {
      const { height } = cursor.account!.anchor
      return [balanceAt(address, height), nonceAt(address, height)]
    }),
  )
  const found = lost.flatMap((resumed, index): [ResumedWatch, ResumedWatch][] => {
    const { cursor } = resumed
    const { anchor } = cursor.account!
    const hash = headers[index]?.hash
    const isSame = hash === anchor.hash
    const balance = isSame ? anchor.balance : (states[2 * index] ?? null)
    const nonce = isSame ? anchor.nonce : (states[2 * index + 1] ?? null)
    if (hash === undefined || balance === null || nonce === null) return []
    const account = { ...cursor.account!, nonce }
    return [[resumed, { ...resumed, cursor: { ...cursor, height: anchor.height, hash, balance, account } }]]
  })
  return new Map(found)
}
