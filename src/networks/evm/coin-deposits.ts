import { ask, type Node } from '../rpc/batch.ts'
import { Reorganised } from '../rpc/reorg.ts'
import type { Change } from './cursor.ts'
import type { ResumedWatch } from './resume.ts'
import { type Block, blockAt, type CoinTransfer, type Outcome, outcomeOf } from './rpc-calls.ts'

/** What arrived of the native coin at one address, in one block. */
export interface CoinArrival {
  height: number
  hash: string
  /** atomic */
  amount: bigint
  /** those that name the address as their receiver; the rest was paid by contracts */
  transfers: CoinTransfer[]
}

const BLOCKS_AT_ONCE = 4
/** Of very many payments to one address only the largest are looked up. */
const LOOKED_UP_MAX = 8
/** Blocks with transactions of the account itself, which only its owner can multiply. */
const SENT_LOOKED_UP_MAX = 32

/** Looks up which transactions brought what arrived. Throws NetworkFault. */
export async function readArrivals(
  node: Node,
  changes: Map<ResumedWatch, Change[]>,
): Promise<Map<ResumedWatch, CoinArrival[]>> {
  const wanted = new Set([...changes.values()].flatMap(lookedUp))
  const addresses = new Set([...changes.keys()].map(({ address }) => address))
  const blocks = await readBlocks(node, wanted, addresses)
  const seen = [...changes].map(([resumed, own]) => ({
    resumed,
    blocks: own
      .filter(({ amount, sent }) => amount > 0n || sent > 0n)
      .map(change => ({
        change,
        ...transactionsOf(resumed, wanted.has(change) ? blocks.get(change.height) : null),
      })),
  }))
  const outcomes = await readOutcomes(
    node,
    seen.flatMap(own => own.blocks),
  )
  return new Map(
    seen.map(({ resumed, blocks: own }) => [
      resumed,
      own.map(block => arrivalOf(resumed, block, outcomes)).filter(({ amount }) => amount > 0n),
    ]),
  )
}

interface SeenBlock {
  change: Change
  /** those that pay the address */
  incoming: CoinTransfer[]
  /** those that it sent itself */
  own: CoinTransfer[]
}

function transactionsOf(
  { address }: ResumedWatch,
  block: Block | null | undefined,
): Omit<SeenBlock, 'change'> {
  const transfers = block?.transfers ?? []
  return {
    incoming: transfers.filter(({ from, to, value }) => to === address && from !== address && value > 0n),
    own: transfers.filter(({ from }) => from === address),
  }
}

/**
 * What arrived in a block is by how much the balance rose, and what the account spent in it. Where it called
 * a program, that may have given back a part, which is no payment; and where it spent in blocks that could
 * not be told apart, nobody knows: then only the transactions that name the address count.
 */
function arrivalOf(
  { address, cursor }: ResumedWatch,
  { change, incoming, own }: SeenBlock,
  outcomes: Map<string, Outcome>,
): CoinArrival {
  const { height, hash, sent } = change
  const hasSucceeded = (transfer: CoinTransfer): boolean => outcomes.get(transfer.hash)!.succeeded
  const transfers = incoming.filter(hasSucceeded)
  const named = transfers.reduce((sum, { value }) => sum + value, 0n)
  const spent = own.reduce((sum, transfer) => {
    const leaves = hasSucceeded(transfer) && transfer.to !== address ? transfer.value : 0n
    return sum + leaves + outcomes.get(transfer.hash)!.fee
  }, 0n)
  const arrived = change.amount + spent
  if (cursor.account === null && named > arrived) throw new Reorganised()
  const isClear = sent <= BigInt(own.length) && own.every(({ isPlain }) => isPlain)
  return { height, hash, amount: isClear && arrived > named ? arrived : named, transfers }
}

function lookedUp(changes: Change[]): Change[] {
  const sent = changes.filter(change => change.sent > 0n)
  const risen = changes.filter(change => change.sent <= 0n && change.amount > 0n)
  return [
    ...sent.toSorted((a, b) => b.height - a.height).slice(0, SENT_LOOKED_UP_MAX),
    ...risen
      .toSorted((a, b) => (a.amount === b.amount ? a.height - b.height : a.amount > b.amount ? -1 : 1))
      .slice(0, LOOKED_UP_MAX),
  ]
}

/** By height; null for a block that is too large to be read, whose payments stay without transactions. */
async function readBlocks(
  node: Node,
  changes: Set<Change>,
  addresses: Set<string>,
): Promise<Map<number, Block | null>> {
  const hashes = new Map([...changes].map(({ height, hash }) => [height, hash]))
  const heights = [...hashes.keys()]
  const blocks = new Map<number, Block | null>()
  for (let next = 0; next < heights.length; next += BLOCKS_AT_ONCE) {
    const together = heights.slice(next, next + BLOCKS_AT_ONCE)
    const read = await ask(
      node,
      together.map(height => blockAt(height, addresses)),
    )
    for (const [index, height] of together.entries()) {
      const block = read[index]!
      if (block && block.hash !== hashes.get(height)) throw new Reorganised()
      blocks.set(height, block)
    }
  }
  return blocks
}

/** How each transaction went. A node that lacks one of a block that it told is out of step. */
async function readOutcomes(node: Node, blocks: SeenBlock[]): Promise<Map<string, Outcome>> {
  const blockOf = new Map(
    blocks.flatMap(({ change, incoming, own }) =>
      [...incoming, ...own].map(({ hash }) => [hash, change.hash] as const),
    ),
  )
  const hashes = [...blockOf.keys()]
  const outcomes = await ask(node, hashes.map(outcomeOf))
  return new Map(
    hashes.map((hash, index): [string, Outcome] => {
      const outcome = outcomes[index]
      if (!outcome || outcome.blockHash !== blockOf.get(hash)) throw new Reorganised()
      return [hash, outcome]
    }),
  )
}
