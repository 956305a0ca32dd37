import { NetworkFault } from '../port.ts'
import { type Account, type FoundChange, findChanges } from './balance-changes.ts'
import type { Change } from './cursor.ts'
import { Reorganised } from './logs.ts'
import type { Movements } from './movements.ts'
import type { CoinTransfer } from './questions.ts'
import { ask, type Block, balanceAt, blockAt, type Header, headerAt, outcomeOf } from './questions.ts'
import type { Node } from './rpc.ts'
import type { Subject } from './subject.ts'

/** What arrived of the native coin at one address, in one block. */
export interface CoinArrival extends Change {
  /** those that name the address as their receiver; the rest was paid by contracts */
  transfers: CoinTransfer[]
}

const BLOCKS_AT_ONCE = 4
/** Of very many payments to one address only the largest are looked up. */
const LOOKED_UP_MAX = 8

/** Every change of the native balances since the cursors, in which block it happened. Throws NetworkFault. */
export async function readChanges(
  node: Node,
  movements: Map<Subject, Movements>,
  head: Header,
): Promise<Map<Subject, { height: number; amount: bigint }[]>> {
  const subjects = [...movements.keys()]
  const [tip, ...balances] = await ask<[Header | null, ...(bigint | null)[]]>(node, [
    headerAt(head.height),
    ...subjects.map(({ address }) => balanceAt(address, head.height)),
  ])
  if (tip?.hash !== head.hash) throw new Reorganised()
  const accounts = subjects.map((subject, index) => {
    const headBalance = balances[index] ?? null
    if (headBalance === null) throw new NetworkFault('does not know the balances of its newest block')
    return accountOf(subject, headBalance, movements.get(subject)!.flushes)
  })
  const found = await findChanges(node, accounts, head.height)
  return new Map(subjects.map((subject, index) => [subject, merged(accounts[index]!, found)]))
}

const accountOf = (
  { address, cursor }: Subject,
  headBalance: bigint,
  flushes: Account['flushes'],
): Account => ({
  address,
  from: cursor.height,
  balance: cursor.balance,
  headBalance,
  changes: cursor.changes,
  flushes,
})

/** The known changes and the found ones, one for each block. */
function merged(account: Account, found: FoundChange[]): { height: number; amount: bigint }[] {
  const own = found.filter(change => change.account === account)
  const byHeight = Map.groupBy([...account.changes, ...own], ({ height }) => height)
  return [...byHeight].map(([height, changes]) => ({
    height,
    amount: changes.reduce((sum, { amount }) => sum + amount, 0n),
  }))
}

/** Looks up which transactions brought what arrived. Throws NetworkFault. */
export async function readArrivals(
  node: Node,
  changes: Map<Subject, Change[]>,
): Promise<Map<Subject, CoinArrival[]>> {
  const wanted = new Set([...changes.values()].flatMap(largest))
  const receivers = new Set([...changes.keys()].map(({ address }) => address))
  const blocks = await readBlocks(node, wanted, receivers)
  const arrivals = [...changes].map(([subject, own]) => {
    const risen = own.filter(({ amount }) => amount > 0n)
    return { subject, arrivals: risen.map(change => arrivalOf(subject, change, wanted, blocks)) }
  })
  const succeeded = await readSuccesses(
    node,
    arrivals.flatMap(own => own.arrivals),
  )
  return new Map(
    arrivals.map(own => [
      own.subject,
      own.arrivals.map(arrival => ({
        ...arrival,
        transfers: arrival.transfers.filter(({ hash }) => succeeded.has(hash)),
      })),
    ]),
  )
}

function arrivalOf(
  { address }: Subject,
  change: Change,
  wanted: Set<Change>,
  blocks: Map<number, Block | null>,
): CoinArrival {
  const block = wanted.has(change) ? blocks.get(change.height) : null
  return { ...change, transfers: block?.transfers.filter(({ to }) => to === address) ?? [] }
}

const largest = (changes: Change[]): Change[] =>
  changes
    .filter(({ amount }) => amount > 0n)
    .toSorted((a, b) => (a.amount === b.amount ? a.height - b.height : a.amount > b.amount ? -1 : 1))
    .slice(0, LOOKED_UP_MAX)

/** By height; null for a block that is too large to be read, whose payments stay without transactions. */
async function readBlocks(
  node: Node,
  changes: Set<Change>,
  receivers: Set<string>,
): Promise<Map<number, Block | null>> {
  const hashes = new Map([...changes].map(({ height, hash }) => [height, hash]))
  const heights = [...hashes.keys()]
  const blocks = new Map<number, Block | null>()
  for (let next = 0; next < heights.length; next += BLOCKS_AT_ONCE) {
    const together = heights.slice(next, next + BLOCKS_AT_ONCE)
    const read = await ask(
      node,
      together.map(height => blockAt(height, receivers)),
    )
    for (const [index, height] of together.entries()) {
      const block = read[index]!
      if (block && block.hash !== hashes.get(height)) throw new Reorganised()
      blocks.set(height, block)
    }
  }
  return blocks
}

/** The transactions that did what they say. A node that lacks one of a block that it told is out of step. */
async function readSuccesses(node: Node, arrivals: CoinArrival[]): Promise<Set<string>> {
  const blockOf = new Map(
    arrivals.flatMap(({ hash, transfers }) => transfers.map(transfer => [transfer.hash, hash] as const)),
  )
  const hashes = [...blockOf.keys()]
  const outcomes = await ask(node, hashes.map(outcomeOf))
  const succeeded = new Set<string>()
  for (const [index, hash] of hashes.entries()) {
    const outcome = outcomes[index]
    if (outcome?.blockHash !== blockOf.get(hash)) throw new Reorganised()
    if (outcome?.succeeded) succeeded.add(hash)
  }
  return succeeded
}
