import { ask, balanceAt } from './questions.ts'
import type { Node } from './rpc.ts'

/** What is known of the native balance of one address from the cursor's height on. */
export interface Account {
  address: string
  /** the cursor's height and the balance there */
  from: number
  balance: bigint
  headBalance: bigint
  /** what is explained already */
  changes: { height: number; amount: bigint }[]
  /** what the forwarder says that it paid out */
  flushes: { height: number; amount: bigint }[]
}

export interface FoundChange {
  account: Account
  height: number
  amount: bigint
}

/** A height, and what had arrived by then without being explained. */
interface Point {
  height: number
  rest: bigint
}

interface Gap {
  account: Account
  low: Point
  high: Point
}

const SECTIONS = 8
const GAPS_MAX = 16

export const sumUpTo = (entries: { height: number; amount: bigint }[], height: number): bigint =>
  entries.reduce((total, entry) => (entry.height <= height ? total + entry.amount : total), 0n)

/** All that arrived up to a height, whether it was flushed or not, less what is explained: it never falls. */
const restAt = (account: Account, height: number, balance: bigint): bigint =>
  balance - account.balance + sumUpTo(account.flushes, height) - sumUpTo(account.changes, height)

/**
 * Finds the blocks in which balances changed, by asking for balances in between. Where the node no longer
 * knows those, a rise counts from the next height at which it is sure, so that it is never believed to be
 * older than it is. What the forwarder paid out is known from its logs, so that a payment is seen though it
 * was flushed before the first look, or in its own block. What left in any other way, which only an address
 * of another kind can do, is booked at the head; a payment that came and left so in between is not seen.
 */
export async function findChanges(node: Node, accounts: Account[], head: number): Promise<FoundChange[]> {
  const whole = accounts.map(account => ({
    account,
    height: head,
    amount: restAt(account, head, account.headBalance),
  }))
  const risen = whole.filter(({ amount }) => amount > 0n)
  const fallen = whole.filter(({ amount }) => amount < 0n)
  const found = await narrowAll(node, await trusted(node, risen))
  const located = risen.flatMap(rise => believable(rise, found))
  return [...fallen, ...located]
}

/** A node that answers with today's balance for every height gives itself away at the cursor's. */
async function trusted(node: Node, risen: FoundChange[]): Promise<Gap[]> {
  const before = await ask(
    node,
    risen.map(({ account }) => balanceAt(account.address, account.from)),
  )
  return risen.flatMap(({ account, height, amount }, index) => {
    const balance = before[index] ?? null
    if (balance !== null && restAt(account, account.from, balance) !== 0n) return []
    return [{ account, low: { height: account.from, rest: 0n }, high: { height, rest: amount } }]
  })
}

async function narrowAll(node: Node, gaps: Gap[]): Promise<FoundChange[]> {
  const found: FoundChange[] = []
  let open = gaps
  while (open.length > 0) {
    const { next, over } = limited(open)
    found.push(...over.map(changeOf))
    open = []
    const asked = next.map(gap => ({ gap, heights: between(gap) }))
    const balances = await ask(
      node,
      asked.flatMap(({ gap, heights }) => heights.map(height => balanceAt(gap.account.address, height))),
    )
    for (const { gap, heights } of asked) {
      const known = heights.flatMap(height => pointOf(gap.account, height, balances.shift() ?? null))
      if (known.length === 0) found.push(changeOf(gap))
      else open.push(...split(gap, known))
    }
  }
  return found
}

/** Of very many changes in one look only the largest are searched for; the others count from later blocks. */
function limited(gaps: Gap[]): { next: Gap[]; over: Gap[] } {
  const next: Gap[] = []
  const over: Gap[] = []
  for (const own of Map.groupBy(gaps, ({ account }) => account).values()) {
    const sorted = own.toSorted((a, b) => (riseOf(a) > riseOf(b) ? -1 : riseOf(a) < riseOf(b) ? 1 : 0))
    next.push(...sorted.slice(0, GAPS_MAX))
    over.push(...sorted.slice(GAPS_MAX))
  }
  return { next, over }
}

const riseOf = ({ low, high }: Gap): bigint => high.rest - low.rest

const changeOf = (gap: Gap): FoundChange => ({
  account: gap.account,
  height: gap.high.height,
  amount: riseOf(gap),
})

/** At most seven heights, evenly between the two; none where they are neighbours or nothing rises. */
function between(gap: Gap): number[] {
  const { low, high } = gap
  const distance = high.height - low.height
  if (riseOf(gap) < 0n) return []
  const sections = Math.min(SECTIONS, distance)
  return Array.from({ length: Math.max(0, sections - 1) }, (_, index) =>
    Math.floor(low.height + (distance * (index + 1)) / sections),
  )
}

const pointOf = (account: Account, height: number, balance: bigint | null): Point[] =>
  balance === null ? [] : [{ height, rest: restAt(account, height, balance) }]

function split({ account, low, high }: Gap, known: Point[]): Gap[] {
  const points = [low, ...known, high]
  return points.slice(1).flatMap((point, index) => {
    const before = points[index]!
    return point.rest === before.rest ? [] : [{ account, low: before, high: point }]
  })
}

/** What was found has to add up without a fall; where it does not, the rise is only sure at the head. */
function believable(rise: FoundChange, found: FoundChange[]): FoundChange[] {
  const own = found.filter(({ account }) => account === rise.account)
  const total = own.reduce((sum, { amount }) => sum + amount, 0n)
  return total === rise.amount && own.every(({ amount }) => amount > 0n) ? own : [rise]
}
