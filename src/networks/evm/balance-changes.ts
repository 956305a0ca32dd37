import { asserted } from '../../domain/errors.ts'
import type { Flush } from '../evm-like/token-transfers.ts'
import { ask, type Node } from '../rpc/batch.ts'
import { balanceAt, nonceAt } from './rpc-calls.ts'

/** The change of an address's coin balance in one block. */
export interface BalanceChange {
  height: number
  /** the change in atomic units; below zero for money that left without a log of a forwarder */
  amount: bigint
  /** the number of transactions that the account sent */
  sent: bigint
  /** true if the search was given up: the change happened in this block or in some block below it */
  isRough?: boolean
}

/** The known facts about the coin balance of one address from the cursor's height on. */
export interface BalanceHistory {
  address: string
  /** the cursor's height, where the balance and the nonce are known */
  from: number
  balance: bigint
  /** the nonce at that height; null for a forwarder, which sends no transactions */
  nonce: bigint | null
  head: AccountState
  /**
   * the height that the cursor may move to, which separates the changes below it from the changes above it
   */
  boundary: number
  /** changes that earlier scans found */
  changes: BalanceChange[]
  /** the coin payouts that the forwarder logged */
  flushes: Flush[]
}

/** The state of an address at one height. The nonce of a forwarder counts as zero. */
export interface AccountState {
  balance: bigint
  nonce: bigint
}

export interface FoundChange extends BalanceChange {
  history: BalanceHistory
  /** set if the node reports less or more at the cursor's height than was reported before; otherwise null */
  contradiction: 'less' | 'more' | null
}

/** The part of a state that known changes do not explain. */
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

/** Returns the part of the state of an address at a height that known changes do not explain. */
const pointAt = (history: BalanceHistory, height: number, { balance, nonce }: AccountState): Point => ({
  height,
  unexplained:
    balance - history.balance + sumUpTo(history.flushes, height) - sumUpTo(history.changes, height),
  sent: history.nonce === null ? 0n : nonce - history.nonce - sentUpTo(history.changes, height),
})

/**
 * Finds the blocks in which balances changed, by asking for balances at heights in between.
 * - If the node has dropped old balances, a rise counts from the next height that the node knows, so that a
 *   payment never seems older than it is.
 * - A forwarder logs its payouts, so a payment is seen even if it was paid out before the first scan, or in
 *   its own block.
 * - A transaction of an account raises its nonce, so the blocks with such transactions are found too.
 * - Money that leaves in another way, by a program at the address, counts at the head. A payment that arrives
 *   and leaves in this way between two scans is not seen.
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

/** Asks for states, in the order of the queries; null for a state that the node has dropped. */
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
 * Opens a gap from each cursor to the head, divided at the boundary. A node that reports the newest balance
 * for any height is detected, since it contradicts the balance at the cursor's height.
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

/**
 * Selects the largest gaps for the search if there are very many. A change in any other gap counts at the end
 * of that gap.
 */
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
/**
 * The weight by which gaps are sorted. A gap with transactions of the owner comes first, since it may hide
 * any payment, and strangers cannot make such gaps.
 */
const weightOf = (gap: Gap): bigint => (sentIn(gap) > 0n ? 2n ** 256n : riseOf(gap))

const toChange = (gap: Gap): FoundChange => ({
  history: gap.history,
  height: gap.high.height,
  amount: riseOf(gap),
  sent: sentIn(gap),
  contradiction: null,
})

/**
 * Returns up to seven evenly spaced heights in a gap; no heights if the gap's ends are neighbours, or nothing
 * rises between them.
 */
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
 * Returns the changes that were found if they add up to the total, and only transactions of the account lower
 * the balance. Otherwise only the total is certain, and counts at the head.
 */
function consistentChanges(total: FoundChange, found: FoundChange[]): FoundChange[] {
  const own = found.filter(({ history }) => history === total.history)
  const amount = own.reduce((sum, change) => sum + change.amount, 0n)
  const sent = own.reduce((sum, change) => sum + change.sent, 0n)
  const isPlausible = own.every(change => change.sent > 0n || (change.sent === 0n && change.amount > 0n))
  return amount === total.amount && sent === total.sent && isPlausible ? own : [total]
}
