import { asserted } from '../../domain/errors.ts'
import type { Flush } from '../evm-like/token-transfers.ts'
import { ask, type Node } from '../rpc/batch.ts'
import { balanceAt, nonceAt } from './rpc-calls.ts'

/** How a balance changed up to a height, and how many transactions the account sent by then. */
export interface BalanceChange {
  height: number
  amount: bigint
  sent: bigint
  /** it happened in this block or some blocks below: the search for it was given up */
  isRough?: boolean
}

/** What is known about the native balance of one address from the cursor's height on. */
export interface BalanceHistory {
  address: string
  /** the cursor's height, and the balance and the nonce there */
  from: number
  balance: bigint
  /** null for a forwarder, which sends no transactions */
  nonce: bigint | null
  head: AccountState
  /** the block that the cursor may move to: no change is found above it that happened below */
  boundary: number
  /** changes that were found before */
  changes: BalanceChange[]
  /** what the forwarder logged that it paid out */
  flushes: Flush[]
}

/** The nonce of a forwarder counts as zero. */
export interface AccountState {
  balance: bigint
  nonce: bigint
}

export interface FoundChange extends BalanceChange {
  history: BalanceHistory
  /** at the cursor's height, the node reports less or more than was reported before */
  contradiction: 'less' | 'more' | null
}

/** What had arrived and was sent up to a height and is not explained by known changes. */
interface Point {
  height: number
  unexplained: bigint
  sent: bigint
}

interface Gap {
  history: BalanceHistory
  low: Point
  high: Point
}

const SECTIONS = 8
const GAPS_MAX = 16

export const sumUpTo = (entries: { height: number; amount: bigint }[], height: number): bigint =>
  entries.reduce((total, entry) => (entry.height <= height ? total + entry.amount : total), 0n)

export const sentUpTo = (changes: { height: number; sent: bigint }[], height: number): bigint =>
  changes.reduce((total, change) => (change.height <= height ? total + change.sent : total), 0n)

/** All that arrived up to a height, flushed or not, minus the known changes. */
const pointAt = (history: BalanceHistory, height: number, { balance, nonce }: AccountState): Point => ({
  height,
  unexplained:
    balance - history.balance + sumUpTo(history.flushes, height) - sumUpTo(history.changes, height),
  sent: history.nonce === null ? 0n : nonce - history.nonce - sentUpTo(history.changes, height),
})

/**
 * Finds the blocks in which balances changed, by asking for balances in between.
 *
 * - A node that has dropped old balances: a rise counts from the next height that the node knows, so that a
 *   payment never seems older than it is.
 * - A forwarder logs what it pays out, so that a payment is seen even if it was flushed before the first scan
 *   or in its own block.
 * - A transaction of an account raises its nonce, so that the blocks in which the nonce rose are found too.
 * - Anything else that leaves an address, which only a program at the address can do, is booked at the head.
 *   A payment that arrived and left that way between two scans is not seen.
 */
export async function findChanges(
  node: Node,
  histories: BalanceHistory[],
  head: number,
): Promise<FoundChange[]> {
  const totals = histories.map(history => {
    const { unexplained, sent } = pointAt(history, head, history.head)
    return { history, height: head, amount: unexplained, sent, contradiction: null }
  })
  const isSearched = ({ amount, sent }: FoundChange): boolean => amount > 0n || sent > 0n
  const searched = totals.filter(isSearched)
  const fallen = totals.filter(change => !isSearched(change) && (change.amount !== 0n || change.sent !== 0n))
  const { gaps, contradicted } = await openGaps(node, searched)
  const found = await narrowAll(node, gaps)
  const located = searched.flatMap(total =>
    contradicted.has(total)
      ? [{ ...total, contradiction: asserted(contradicted.get(total), 'the total is contradicted') }]
      : consistentChanges(total, found),
  )
  return [...fallen, ...located]
}

type StateQuery = { history: Pick<BalanceHistory, 'address' | 'nonce'>; height: number }

/** Null for a state that the node has dropped. */
async function askStates(node: Node, queries: StateQuery[]): Promise<(AccountState | null)[]> {
  const accounts = queries.filter(({ history }) => history.nonce !== null)
  const answers = await ask(node, [
    ...queries.map(({ history, height }) => balanceAt(history.address, height)),
    ...accounts.map(({ history, height }) => nonceAt(history.address, height)),
  ])
  const nonces = answers.slice(queries.length)
  return queries.map(({ history }, index) => {
    const balance = answers[index] ?? null
    const nonce = history.nonce === null ? 0n : (nonces.shift() ?? null)
    return balance === null || nonce === null ? null : { balance, nonce }
  })
}

const explained = { unexplained: 0n, sent: 0n }

/**
 * The gaps from the cursors to the head, divided at the boundary. A node that reports the newest balance for
 * every height contradicts the cursor there.
 */
async function openGaps(
  node: Node,
  searched: FoundChange[],
): Promise<{ gaps: Gap[]; contradicted: Map<FoundChange, 'less' | 'more'> }> {
  const isDivided = ({ from, boundary }: BalanceHistory, head: number): boolean =>
    from < boundary && boundary < head
  const queries = searched.flatMap(({ history, height }): StateQuery[] => [
    { history, height: history.from },
    ...(isDivided(history, height) ? [{ history, height: history.boundary }] : []),
  ])
  const states = await askStates(node, queries)
  const gaps: Gap[] = []
  const contradicted = new Map<FoundChange, 'less' | 'more'>()
  for (const total of searched) {
    const { history, height, amount, sent } = total
    const state = states.shift()
    const middle = isDivided(history, height) ? states.shift() : null
    const low = state ? pointAt(history, history.from, state) : { height: history.from, ...explained }
    const known = middle ? [pointAt(history, history.boundary, middle)] : []
    if (low.unexplained > 0n || low.sent > 0n) contradicted.set(total, 'more')
    else if (low.unexplained < 0n || low.sent < 0n) contradicted.set(total, 'less')
    else gaps.push(...split({ history, low, high: { height, unexplained: amount, sent } }, known))
  }
  return { gaps, contradicted }
}

async function narrowAll(node: Node, gaps: Gap[]): Promise<FoundChange[]> {
  const found: FoundChange[] = []
  let open = gaps
  while (open.length > 0) {
    const { next, left } = largestGaps(open)
    found.push(...left.map(gap => ({ ...toChange(gap), isRough: true })))
    open = []
    const queries = next.map(gap => ({ gap, heights: heightsBetween(gap) }))
    const states = await askStates(
      node,
      queries.flatMap(({ gap, heights }) => heights.map(height => ({ history: gap.history, height }))),
    )
    for (const { gap, heights } of queries) {
      const known = heights.flatMap(height => {
        const state = states.shift()
        return state ? [pointAt(gap.history, height, state)] : []
      })
      if (known.length === 0) found.push(toChange(gap))
      else open.push(...split(gap, known))
    }
  }
  return found
}

/** Only the largest of very many changes are searched for; the others count from later blocks. */
function largestGaps(gaps: Gap[]): { next: Gap[]; left: Gap[] } {
  const next: Gap[] = []
  const left: Gap[] = []
  for (const own of Map.groupBy(gaps, ({ history }) => history).values()) {
    const sorted = own.toSorted((a, b) =>
      weightOf(a) > weightOf(b) ? -1 : weightOf(a) < weightOf(b) ? 1 : 0,
    )
    next.push(...sorted.slice(0, GAPS_MAX))
    left.push(...sorted.slice(GAPS_MAX))
  }
  return { next, left }
}

const riseOf = ({ low, high }: Gap): bigint => high.unexplained - low.unexplained
const sentIn = ({ low, high }: Gap): bigint => high.sent - low.sent
/** A gap with the owner's transactions may hide any payment, and only the owner can make many of those. */
const weightOf = (gap: Gap): bigint => (sentIn(gap) > 0n ? 2n ** 256n : riseOf(gap))

const toChange = (gap: Gap): FoundChange => ({
  history: gap.history,
  height: gap.high.height,
  amount: riseOf(gap),
  sent: sentIn(gap),
  contradiction: null,
})

/** At most seven heights, evenly spaced; none if the ends are neighbours or nothing rises between them. */
function heightsBetween(gap: Gap): number[] {
  const { low, high } = gap
  const distance = high.height - low.height
  if (sentIn(gap) < 0n || (sentIn(gap) === 0n && riseOf(gap) < 0n)) return []
  const sections = Math.min(SECTIONS, distance)
  return Array.from({ length: Math.max(0, sections - 1) }, (_, index) =>
    Math.floor(low.height + (distance * (index + 1)) / sections),
  )
}

function split({ history, low, high }: Gap, known: Point[]): Gap[] {
  const points = [low, ...known, high]
  return points.slice(1).flatMap((point, index) => {
    const before = asserted(points[index], 'each point but the first follows another')
    const isSame = point.unexplained === before.unexplained && point.sent === before.sent
    return isSame ? [] : [{ history, low: before, high: point }]
  })
}

/**
 * The changes that were found, if they add up to the total and contain no fall without a transaction of the
 * account. Otherwise only the total at the head is certain.
 */
function consistentChanges(total: FoundChange, found: FoundChange[]): FoundChange[] {
  const own = found.filter(({ history }) => history === total.history)
  const amount = own.reduce((sum, change) => sum + change.amount, 0n)
  const sent = own.reduce((sum, change) => sum + change.sent, 0n)
  const isPlausible = own.every(change => change.sent > 0n || (change.sent === 0n && change.amount > 0n))
  return amount === total.amount && sent === total.sent && isPlausible ? own : [total]
}
