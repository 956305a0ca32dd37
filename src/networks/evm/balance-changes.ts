import { ask, type Node } from '../rpc/batch.ts'
import { balanceAt, nonceAt } from './rpc-calls.ts'

/** A rise or a fall of the balance up to a height, and how many transactions the account sent by then. */
export interface Step {
  height: number
  amount: bigint
  sent: bigint
}

/** What is known of the native balance of one address from the cursor's height on. */
export interface Account {
  address: string
  /** the cursor's height, and the balance and the nonce there */
  from: number
  balance: bigint
  /** null for a forwarder, which sends nothing */
  nonce: bigint | null
  head: State
  /** what is explained already */
  changes: Step[]
  /** what the forwarder says that it paid out */
  flushes: { height: number; amount: bigint }[]
}

/** A balance, and the nonce of what is no forwarder. */
interface State {
  balance: bigint
  nonce: bigint
}

export interface FoundChange extends Step {
  account: Account
  /** the node tells something else of the cursor's height than was told before */
  isDoubted: boolean
}

/** A height, and what had arrived and was sent by then without being explained. */
interface Point {
  height: number
  rest: bigint
  sent: bigint
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

export const sentUpTo = (changes: { height: number; sent: bigint }[], height: number): bigint =>
  changes.reduce((total, change) => (change.height <= height ? total + change.sent : total), 0n)

/** All that arrived up to a height, whether it was flushed or not, less what is explained. */
const pointAt = (account: Account, height: number, { balance, nonce }: State): Point => ({
  height,
  rest: balance - account.balance + sumUpTo(account.flushes, height) - sumUpTo(account.changes, height),
  sent: account.nonce === null ? 0n : nonce - account.nonce - sentUpTo(account.changes, height),
})

/**
 * Finds the blocks in which balances changed, by asking for balances in between. Where the node no longer
 * knows those, a rise counts from the next height at which it is sure, so that it is never believed to be
 * older than it is. What a forwarder paid out is known from its logs, so that a payment is seen though it
 * was flushed before the first look, or in its own block. What the owner of an account pays out raises its
 * nonce, so that the blocks are looked for too in which it rose. What left in any other way, which only a
 * program at an address can do, is booked at the head; a payment that came and left so in between is not
 * seen.
 */
export async function findChanges(node: Node, accounts: Account[], head: number): Promise<FoundChange[]> {
  const whole = accounts.map(account => {
    const { rest, sent } = pointAt(account, head, account.head)
    return { account, height: head, amount: rest, sent, isDoubted: false }
  })
  const isOpen = ({ amount, sent }: FoundChange): boolean => amount > 0n || sent > 0n
  const nextState = whole.filter(isOpen)
  const fallen = whole.filter(change => !isOpen(change) && (change.amount !== 0n || change.sent !== 0n))
  const { gaps, doubted } = await trusted(node, nextState)
  const found = await narrowAll(node, gaps)
  const located = nextState.flatMap(change =>
    doubted.has(change) ? [{ ...change, isDoubted: true }] : believable(change, found),
  )
  return [...fallen, ...located]
}

type Wanted = { account: Pick<Account, 'address' | 'nonce'>; height: number }

/** Null where the node no longer knows how the account stood there. */
async function askStates(node: Node, wanted: Wanted[]): Promise<(State | null)[]> {
  const owned = wanted.filter(({ account }) => account.nonce !== null)
  const answers = await ask(node, [
    ...wanted.map(({ account, height }) => balanceAt(account.address, height)),
    ...owned.map(({ account, height }) => nonceAt(account.address, height)),
  ])
  const nonces = answers.slice(wanted.length)
  return wanted.map(({ account }, index) => {
    const balance = answers[index] ?? null
    const nonce = account.nonce === null ? 0n : (nonces.shift() ?? null)
    return balance === null || nonce === null ? null : { balance, nonce }
  })
}

interface Trust {
  gaps: Gap[]
  doubted: Set<FoundChange>
}

/** A node that answers with today's balance for every height gives itself away at the cursor's. */
async function trusted(node: Node, nextState: FoundChange[]): Promise<Trust> {
  const before = await askStates(
    node,
    nextState.map(({ account }) => ({ account, height: account.from })),
  )
  const points = nextState.map(({ account, height, amount, sent }, index) => {
    const state = before[index]
    const low = state && pointAt(account, account.from, state)
    return { account, low: low ?? { height: account.from, ...nothing }, high: { height, rest: amount, sent } }
  })
  const isSure = ({ low }: Gap): boolean => low.rest === 0n && low.sent === 0n
  return {
    gaps: points.filter(isSure),
    doubted: new Set(nextState.filter((_, index) => !isSure(points[index]!))),
  }
}

const nothing = { rest: 0n, sent: 0n }

async function narrowAll(node: Node, gaps: Gap[]): Promise<FoundChange[]> {
  const found: FoundChange[] = []
  let open = gaps
  while (open.length > 0) {
    const { next, over } = limited(open)
    found.push(...over.map(changeOf))
    open = []
    const asked = next.map(gap => ({ gap, heights: between(gap) }))
    const states = await askStates(
      node,
      asked.flatMap(({ gap, heights }) => heights.map(height => ({ account: gap.account, height }))),
    )
    for (const { gap, heights } of asked) {
      const known = heights.flatMap(height => {
        const state = states.shift()
        return state ? [pointAt(gap.account, height, state)] : []
      })
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
    const sorted = own.toSorted((a, b) =>
      weightOf(a) > weightOf(b) ? -1 : weightOf(a) < weightOf(b) ? 1 : 0,
    )
    next.push(...sorted.slice(0, GAPS_MAX))
    over.push(...sorted.slice(GAPS_MAX))
  }
  return { next, over }
}

const riseOf = ({ low, high }: Gap): bigint => high.rest - low.rest
const sentIn = ({ low, high }: Gap): bigint => high.sent - low.sent
/** What the owner sent may hide any payment, and nobody else can make much of it. */
const weightOf = (gap: Gap): bigint => (sentIn(gap) > 0n ? 2n ** 256n : riseOf(gap))

const changeOf = (gap: Gap): FoundChange => ({
  account: gap.account,
  height: gap.high.height,
  amount: riseOf(gap),
  sent: sentIn(gap),
  isDoubted: false,
})

/** At most seven heights, evenly between the two; none where they are neighbours or nothing rises. */
function between(gap: Gap): number[] {
  const { low, high } = gap
  const distance = high.height - low.height
  if (sentIn(gap) < 0n || (sentIn(gap) === 0n && riseOf(gap) < 0n)) return []
  const sections = Math.min(SECTIONS, distance)
  return Array.from({ length: Math.max(0, sections - 1) }, (_, index) =>
    Math.floor(low.height + (distance * (index + 1)) / sections),
  )
}

function split({ account, low, high }: Gap, known: Point[]): Gap[] {
  const points = [low, ...known, high]
  return points.slice(1).flatMap((point, index) => {
    const before = points[index]!
    const isSame = point.rest === before.rest && point.sent === before.sent
    return isSame ? [] : [{ account, low: before, high: point }]
  })
}

/**
 * What was found has to add up without a fall that nobody sent; where it does not, it is only sure at the
 * head.
 */
function believable(whole: FoundChange, found: FoundChange[]): FoundChange[] {
  const own = found.filter(({ account }) => account === whole.account)
  const total = own.reduce((sum, { amount }) => sum + amount, 0n)
  const sent = own.reduce((sum, change) => sum + change.sent, 0n)
  const isLawful = own.every(change => change.sent > 0n || (change.sent === 0n && change.amount > 0n))
  return total === whole.amount && sent === whole.sent && isLawful ? own : [whole]
}
