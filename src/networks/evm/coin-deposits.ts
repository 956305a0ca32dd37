import { asserted } from '../../domain/errors.ts'
import { ask, type Node } from '../rpc/batch.ts'
import { Reorganised } from '../rpc/reorg.ts'
import type { PendingChange } from './cursor.ts'
import type { ResumedWatch } from './resume.ts'
import { type Block, blockAt, type CoinTransfer, type Receipt, receiptOf } from './rpc-calls.ts'

/** The coin that one address received in one block. */
export interface CoinDeposit {
  height: number
  hash: string
  /** the received amount, in atomic units */
  amount: bigint
  /** the transactions to the address; contracts paid the rest of the amount */
  transfers: CoinTransfer[]
}

const BLOCKS_AT_ONCE = 4
/** Max blocks that are looked up for the rises of one balance. The largest rises come first. */
const LOOKUPS_MAX = 8
/**
 * Max blocks that are looked up for transactions of one account. The limit is higher than `LOOKUPS_MAX`,
 * since strangers cannot make many such blocks.
 */
const SENT_LOOKUPS_MAX = 32

/** Looks up the transactions behind changes of balances. Throws NetworkError. */
export async function readCoinDeposits(
  node: Node,
  changes: Map<ResumedWatch, PendingChange[]>,
): Promise<Map<ResumedWatch, CoinDeposit[]>> {
  const wanted = new Set([...changes.values()].flatMap(changesToLookUp))
  const addresses = new Set([...changes.keys()].map(({ address }) => address))
  const blocks = await readBlocks(node, wanted, addresses)
  const byWatch = [...changes].map(([resumed, own]) => ({
    resumed,
    activities: own
      .filter(({ amount, sent }) => amount > 0n || sent > 0n)
      .map(change => toActivity(resumed, change, wanted.has(change) ? blocks.get(change.height) : null)),
  }))
  const receipts = await readReceipts(
    node,
    byWatch.flatMap(({ activities }) => activities),
  )
  return new Map(
    byWatch.map(({ resumed, activities }) => [
      resumed,
      activities.map(activity => toDeposit(resumed, activity, receipts)).filter(({ amount }) => amount > 0n),
    ]),
  )
}

/** The transactions of one address in one block. */
interface BlockActivity {
  change: PendingChange
  /** transactions that pay the address */
  incoming: CoinTransfer[]
  /** transactions that the address sent */
  outgoing: CoinTransfer[]
}

function toActivity(
  { address }: ResumedWatch,
  change: PendingChange,
  block: Block | null | undefined,
): BlockActivity {
  const transfers = block?.transfers ?? []
  return {
    change,
    incoming: transfers.filter(({ from, to, value }) => to === address && from !== address && value > 0n),
    outgoing: transfers.filter(({ from }) => from === address),
  }
}

/**
 * Makes a deposit, which is the rise of the balance plus the money that the account spent in the same block.
 * Only transactions to the address count if the account called a contract, which may have returned a part, or
 * if not all transactions of the account are known.
 */
function toDeposit(
  { address, cursor }: ResumedWatch,
  { change, incoming, outgoing }: BlockActivity,
  receipts: Map<string, Receipt>,
): CoinDeposit {
  const { height, hash, sent } = change
  const hasSucceeded = (transfer: CoinTransfer): boolean =>
    asserted(receipts.get(transfer.hash), 'each transfer has a receipt').succeeded
  const transfers = incoming.filter(hasSucceeded)
  const direct = transfers.reduce((sum, { value }) => sum + value, 0n)
  const spent = outgoing.reduce((sum, transfer) => {
    const paid = hasSucceeded(transfer) && transfer.to !== address ? transfer.value : 0n
    return sum + paid + asserted(receipts.get(transfer.hash), 'each transfer has a receipt').fee
  }, 0n)
  const received = change.amount + spent
  if (cursor.account === null && direct > received) throw new Reorganised()
  const isCertain = sent <= BigInt(outgoing.length) && outgoing.every(({ isPlain }) => isPlain)
  return { height, hash, amount: isCertain && received > direct ? received : direct, transfers }
}

function changesToLookUp(changes: PendingChange[]): PendingChange[] {
  const sent = changes.filter(change => change.sent > 0n)
  const risen = changes.filter(change => change.sent <= 0n && change.amount > 0n)
  return [
    ...sent.toSorted((a, b) => b.height - a.height).slice(0, SENT_LOOKUPS_MAX),
    ...risen
      .toSorted((a, b) => (a.amount === b.amount ? a.height - b.height : a.amount > b.amount ? -1 : 1))
      .slice(0, LOOKUPS_MAX),
  ]
}

/**
 * Reads blocks, by height; null for a block that is too large, whose payments are then reported without
 * transactions.
 */
async function readBlocks(
  node: Node,
  changes: Set<PendingChange>,
  addresses: Set<string>,
): Promise<Map<number, Block | null>> {
  const hashes = new Map([...changes].map(({ height, hash }) => [height, hash]))
  const heights = [...hashes.keys()]
  const blocks = new Map<number, Block | null>()
  for (let next = 0; next < heights.length; next += BLOCKS_AT_ONCE) {
    const group = heights.slice(next, next + BLOCKS_AT_ONCE)
    const answers = await ask(
      node,
      group.map(height => blockAt(height, addresses)),
    )
    for (const [index, height] of group.entries()) {
      const block = answers[index]!
      if (block && block.hash !== hashes.get(height)) throw new Reorganised()
      blocks.set(height, block)
    }
  }
  return blocks
}

/**
 * Reads receipts, by transaction. Throws Reorganised for a transaction that is not in the block as reported.
 */
async function readReceipts(node: Node, activities: BlockActivity[]): Promise<Map<string, Receipt>> {
  const blockOf = new Map(
    activities.flatMap(({ change, incoming, outgoing }) =>
      [...incoming, ...outgoing].map(({ hash }) => [hash, change.hash] as const),
    ),
  )
  const hashes = [...blockOf.keys()]
  const receipts = await ask(node, hashes.map(receiptOf))
  return new Map(
    hashes.map((hash, index): [string, Receipt] => {
      const receipt = receipts[index]
      if (!receipt || receipt.blockHash !== blockOf.get(hash)) throw new Reorganised()
      return [hash, receipt]
    }),
  )
}
