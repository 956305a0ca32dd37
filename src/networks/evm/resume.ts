import { NetworkFault, type Watch } from '../port.ts'
import { ask, type Node } from '../rpc/batch.ts'
import type { Ground } from './chain-config.ts'
import { type Cursor, readCursor } from './cursor.ts'
import { isForwarder } from './forwarder/recovery.ts'
import { balanceAt, type Header, headerAt, nonceAt } from './rpc-calls.ts'
import { isStale, newestSeen, type Tip, tipQuestions } from './tip.ts'

/** A watch with where it really goes on from, on the chain as it is now. */
export interface Subject {
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
export async function standUp(
  node: Node,
  ground: Ground,
  watches: Watch[],
): Promise<{ tip: Tip; subjects: Subject[] }> {
  const subjects = watches.map(subjectOf)
  const heights = subjects.flatMap(({ cursor: { height, changes } }) => [
    height,
    ...changes.map(change => change.height),
  ])
  const wanted = [...new Set(heights)]
  const [head, finalized, ...headers] = await ask<[Header, Header | null, ...(Header | null)[]]>(node, [
    ...tipQuestions,
    ...wanted.map(headerAt),
  ])
  const tip = { head, finalized }
  checkTip(ground, tip, subjects)
  const hashes = new Map(wanted.map((height, index) => [height, headers[index]?.hash]))
  const standing = subjects.map(subject => ({ ...subject, cursor: standingOf(subject.cursor, hashes) }))
  const lost = standing.filter(({ cursor }) => cursor.account && cursor.hash === '')
  if (lost.length === 0) return { tip, subjects: standing }
  const found = await atAnchors(node, lost)
  const kept = standing.flatMap(subject => (lost.includes(subject) ? (found.get(subject) ?? []) : [subject]))
  if (kept.length > 0) return { tip, subjects: kept }
  throw new NetworkFault('does not know how an account stood before its chain was replaced')
}

const subjectOf = (watch: Watch): Subject => ({
  watch,
  address: watch.address.toLowerCase(),
  payout: isForwarder(watch.source) ? watch.source.payout.toLowerCase() : null,
  cursor: readCursor(watch.cursor),
})

function checkTip({ chainId, clock }: Ground, tip: Tip, subjects: Subject[]): void {
  const { height } = tip.head
  const now = clock()
  const newest = newestSeen(
    subjects.map(({ cursor }) => cursor),
    now,
  )
  if (height < newest) {
    throw new NetworkFault(`is behind: at block ${height}, while block ${newest} was seen before`)
  }
  if (isStale(chainId, tip, now)) throw new NetworkFault(`stands still at block ${height}`)
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
async function atAnchors(node: Node, lost: Subject[]): Promise<Map<Subject, Subject>> {
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
  const found = lost.flatMap((subject, index): [Subject, Subject][] => {
    const { cursor } = subject
    const { anchor } = cursor.account!
    const hash = headers[index]?.hash
    const isSame = hash === anchor.hash
    const balance = isSame ? anchor.balance : (states[2 * index] ?? null)
    const nonce = isSame ? anchor.nonce : (states[2 * index + 1] ?? null)
    if (hash === undefined || balance === null || nonce === null) return []
    const account = { ...cursor.account!, nonce }
    return [[subject, { ...subject, cursor: { ...cursor, height: anchor.height, hash, balance, account } }]]
  })
  return new Map(found)
}
