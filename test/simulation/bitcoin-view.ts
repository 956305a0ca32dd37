import { type CoinName, coins } from '../../src/networks/bitcoin/coins.ts'
import { scriptOf } from '../../src/networks/bitcoin/script.ts'
import { blockHash, type Chain, heightOfHash, INVENTED_BRANCH, outputsOf, type Transfer } from './chain.ts'
import type { ActiveLie } from './endpoint.ts'

const INVENTED_SERIAL = 0xf0f0f0

/**
 * The blocks of a real chain that Florin compares with a node: the first block, and the checkpoint that its
 * forks lack.
 */
function fixedOf(coin: CoinName): Map<number, string> {
  const { genesis, checkpoint } = coins[coin]
  return new Map([[0, genesis], ...(checkpoint ? [[checkpoint.height, checkpoint.hash] as const] : [])])
}

/** The chain as a Bitcoin endpoint reports it. */
export interface View {
  chain: Chain
  coin: CoinName
  fixed: ReadonlyMap<number, string>
  /** the newest block that the endpoint knows */
  head: number
  /** the newest block that the endpoint reports */
  top: number
  lie: ActiveLie | null
}

/** Returns a function that makes the view for a request. */
export const viewsOf = (chain: Chain, coin: CoinName): ((lie: ActiveLie | null) => View) => {
  const own = { chain, coin, fixed: fixedOf(coin) }
  return lie => ({ ...own, ...seenBy(chain, lie) })
}

function seenBy(chain: Chain, lie: ActiveLie | null) {
  const { head: newest } = chain
  const head = lie?.name === 'lag' ? newest - Math.ceil(lie.amount / 10) : newest
  return { lie, head, top: lie?.name === 'farTip' ? head + lie.amount : head }
}

/** The reported height. With the lie `lostTip`, there is no block at this height. */
export const reportedTip = ({ top, lie }: View): number => (lie?.name === 'lostTip' ? top + lie.amount : top)

/** The hash of a block; null above the newest reported block. */
export function hashAt({ chain, fixed, head, top }: View, height: number): string | null {
  if (height > top) return null
  if (height > head) return blockHash(INVENTED_BRANCH, height)
  return fixed.get(height) ?? chain.hashOf(height)
}

/** The time of a block, in seconds since 1970 UTC. */
export const timeOfBlock = ({ chain, head }: View, hash: string): number =>
  Math.floor(chain.timeOf(Math.min(head, heightOfHash(hash))) / 1000)

interface Listed {
  waiting: Transfer[]
  /** newest first */
  confirmed: Transfer[]
}

/** The payments to an address that the endpoint lists. */
export function listedAt({ chain, coin, head, lie }: View, address: string): Listed {
  if (lie?.name === 'omit') return { waiting: [], confirmed: [] }
  const all = chain.transfers.filter(({ to }) => to === address).toReversed()
  const own = lie?.name === 'hide' ? withoutGreatest(all) : all
  // With the lie `lateIndex`, the newest blocks are known, but their payments are not listed yet.
  const listed = lie?.name === 'lateIndex' ? head - lie.amount : head
  const invented = lie?.name === 'invent' ? [inventedPayment(address, coin)] : []
  return {
    waiting: [...own.filter(({ height }) => height > head), ...invented],
    confirmed: own.filter(({ height }) => height <= listed).sort((a, b) => b.height - a.height),
  }
}

/** Repeats or reverses a list if the endpoint lies in this way. */
export function asListed<T>({ lie }: View, list: T[]): T[] {
  const ordered = lie?.name === 'reorder' ? list.toReversed() : list
  return lie?.name === 'repeat' ? [...ordered, ...ordered] : ordered
}

function withoutGreatest(transfers: Transfer[]): Transfer[] {
  const [greatest] = transfers.toSorted((a, b) => Number(b.amount - a.amount))
  return transfers.filter(one => one !== greatest)
}

/** The sum that an address received. It is right even if the list of payments is not. */
export const sumAt = ({ chain, head }: View, address: string): bigint =>
  chain.transfers
    .filter(({ to, height }) => to === address && height <= head)
    .reduce((sum, { amount }) => sum + amount, 0n)

/** The outputs of a transaction: the amount and the script of each. */
export const outputsWithScript = (transfer: Transfer, { coin }: View) =>
  outputsOf(transfer).map((amount, n) => ({ n, amount, hex: scriptOf(coin, transfer.to) }))

export const inventedPayment = (to: string, coin: CoinName): Transfer => ({
  serial: INVENTED_SERIAL,
  to,
  from: '',
  asset: coin,
  amount: 10n ** 9n,
  height: Number.POSITIVE_INFINITY,
  count: 1,
  kind: 'payment',
})
