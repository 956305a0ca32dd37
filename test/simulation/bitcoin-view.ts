import { coins } from '../../src/networks/bitcoin/coins.ts'
import { blockHash, type Chain, heightOfHash, INVENTED_BRANCH, type Transfer } from './chain.ts'
import type { ActiveLie } from './endpoint.ts'

const INVENTED_SERIAL = 0xf0f0f0

const { genesis, checkpoint } = coins.btc
const fixed = new Map([
  [0, genesis],
  [checkpoint!.height, checkpoint!.hash],
])

/** What an endpoint of Bitcoin knows and claims. */
export interface View {
  chain: Chain
  /** the newest block that the endpoint knows */
  head: number
  /** the newest block that it claims to know */
  top: number
  lie: ActiveLie | null
}

export function viewOf(chain: Chain, lie: ActiveLie | null): View {
  const { head: newest } = chain
  const head = lie?.name === 'lag' ? newest - Math.ceil(lie.amount / 10) : newest
  return { chain, lie, head, top: lie?.name === 'farTip' ? head + lie.amount : head }
}

/** The height that it reports, which it may have no block for. */
export const reportedTip = ({ top, lie }: View): number => (lie?.name === 'lostTip' ? top + lie.amount : top)

/** Null above what it claims to know. */
export function hashAt({ chain, head, top }: View, height: number): string | null {
  if (height > top) return null
  if (height > head) return blockHash(INVENTED_BRANCH, height)
  return fixed.get(height) ?? chain.hashOf(height)
}

/** Seconds since 1970. */
export const timeOfBlock = ({ chain, head }: View, hash: string): number =>
  Math.floor(chain.timeOf(Math.min(head, heightOfHash(hash))) / 1000)

interface Listed {
  waiting: Transfer[]
  /** the newest first */
  confirmed: Transfer[]
}

/** What it lists of an address. */
export function listedAt({ chain, head, lie }: View, address: string): Listed {
  if (lie?.name === 'omit') return { waiting: [], confirmed: [] }
  const all = chain.transfers.filter(({ to }) => to === address).toReversed()
  const own = lie?.name === 'hide' ? withoutGreatest(all) : all
  // The newest blocks are known, but their payments are not listed yet.
  const listed = lie?.name === 'lateIndex' ? head - lie.amount : head
  const invented = lie?.name === 'invent' ? [inventedPayment(address)] : []
  return {
    waiting: [...own.filter(({ height }) => height > head), ...invented],
    confirmed: own.filter(({ height }) => height <= listed).sort((a, b) => b.height - a.height),
  }
}

/** Repeated or reversed, if it lies about that. */
export function asListed<T>({ lie }: View, list: T[]): T[] {
  const ordered = lie?.name === 'reorder' ? list.toReversed() : list
  return lie?.name === 'repeat' ? [...ordered, ...ordered] : ordered
}

function withoutGreatest(transfers: Transfer[]): Transfer[] {
  const [greatest] = transfers.toSorted((a, b) => Number(b.amount - a.amount))
  return transfers.filter(one => one !== greatest)
}

/** The sum of an address is right even where the list is not. */
export const sumAt = ({ chain, head }: View, address: string): bigint =>
  chain.transfers
    .filter(({ to, height }) => to === address && height <= head)
    .reduce((sum, { amount }) => sum + amount, 0n)

export const inventedPayment = (to: string): Transfer => ({
  serial: INVENTED_SERIAL,
  to,
  from: '',
  asset: 'btc',
  amount: 10n ** 9n,
  height: Number.POSITIVE_INFINITY,
  count: 1,
  kind: 'payment',
})
