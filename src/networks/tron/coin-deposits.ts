import type { Asset } from '../../domain/asset.ts'
import { readQuantity } from '../evm-like/hex.ts'
import { NetworkError } from '../port.ts'
import { ask, type Query } from '../rpc/batch.ts'
import type { JsonRpc } from '../rpc/json-rpc.ts'
import { smallestOf } from './choose-entries.ts'
import { type AddressList, readLists, storedFrom } from './list-address.ts'
import type { Node } from './node.ts'
import type { ResumedWatch } from './resume.ts'
import { type Source, verifyCoinEntries } from './verify.ts'

/** The coin payments to one address. */
export interface CoinDeposits extends AddressList {
  /** true if an index was read, which can be behind its chain */
  isListed: boolean
  /** true if the index should have been read, but the endpoint has no index or failed */
  isUnread: boolean
  /** true if the balance differs from that of the last scan */
  hasChanged: boolean
  balance: bigint | null
}

const BALANCE_REQUESTS_MAX = 10

export const balanceOf = (address: string): Query<bigint | null> => ({
  call: { method: 'eth_getBalance', params: [address, 'latest'] },
  read: readQuantity,
  onRefused: () => null,
})

/**
 * Reads coin payments, which takes a request for each address. For a watch of a token they are therefore read
 * only if the balance changed, or earlier coin payments are not final. Throws NetworkError if the coin
 * payments for a watch of the coin cannot be read; a watch of a token does without them.
 */
export async function readCoinDeposits(
  node: Node,
  coin: Asset,
  { tip, limit }: Pick<Source, 'tip' | 'limit'>,
  resumedWatches: ResumedWatch[],
  now: number,
): Promise<Map<ResumedWatch, CoinDeposits>> {
  const balances = node.rpc ? await readBalances(node.rpc, resumedWatches) : new Map<string, bigint | null>()
  const balanceNow = ({ address }: ResumedWatch): bigint | null => balances.get(address) ?? null
  const due = resumedWatches.filter(
    resumed => isDue(resumed, now) || !node.rpc || hasChanged(resumed, balanceNow(resumed)),
  )
  const groups = [...Map.groupBy(due, ({ address }) => address).values()]
  const lists = await listCoins(node, coin, { tip, limit }, groups)
  return new Map(
    resumedWatches.flatMap((resumed): [ResumedWatch, CoinDeposits][] => {
      const isRead = due.includes(resumed)
      const list = isRead ? (lists.get(resumed.address) ?? null) : null
      if (isRead && !list && isCoinWatch(resumed)) return []
      return [[resumed, { ...toCoinDeposits(resumed, list, balanceNow(resumed)), isUnread: isRead && !list }]]
    }),
  )
}

const isCoinWatch = ({ watch }: ResumedWatch): boolean => watch.asset.contract === null

function isDue(resumed: ResumedWatch, now: number): boolean {
  const { cursor, isReview } = resumed
  return isCoinWatch(resumed) || isReview || cursor.hasCoinPayments || now < cursor.coinUntil
}

const hasChanged = ({ cursor }: ResumedWatch, balance: bigint | null): boolean =>
  balance !== null && balance !== cursor.balance

/** Reads coin balances, by address; empty if they would take too many requests. Throws NetworkError. */
async function readBalances(
  rpc: JsonRpc,
  resumedWatches: ResumedWatch[],
): Promise<Map<string, bigint | null>> {
  const tokenWatches = resumedWatches.filter(resumed => !isCoinWatch(resumed))
  const addresses = [...new Set(tokenWatches.map(({ address }) => address))]
  if (addresses.length > BALANCE_REQUESTS_MAX * rpc.callsAtOnce) return new Map()
  const balances = await ask(rpc, addresses.map(balanceOf))
  return new Map(addresses.map((address, index) => [address, balances[index] ?? null]))
}

/**
 * Lists coin payments, by address. A list is missing if the endpoint rejects requests now, or if it failed
 * and only watches of tokens wanted it. Throws NetworkError.
 */
async function listCoins(
  { rest, isLocal }: Node,
  coin: Asset,
  scan: Pick<Source, 'tip' | 'limit'>,
  groups: ResumedWatch[][],
): Promise<Map<string, AddressList>> {
  const notListed = new NetworkError(`does not list payments of ${coin.ticker}`)
  if (!rest) {
    if (groups.some(group => group.some(isCoinWatch))) throw notListed
    return new Map()
  }
  const source = { ...scan, rest, isLocal }
  return readLists(
    source,
    {
      name: 'coin',
      isOptional: group => !group.some(isCoinWatch),
      async list(address, since) {
        const listed = await rest.coinEntries(address, since)
        if (!listed) throw notListed
        return listed
      },
      smallestOf: group =>
        smallestOf(
          group.map(({ watch }) => watch),
          coin,
        ),
      verify: (address, some) => verifyCoinEntries(source, coin, address, some),
    },
    groups,
  )
}

const noList = { deposits: [], isListed: false, isPartial: false, isCut: false }

/**
 * Makes the result of one watch. Without a list, it is incomplete if coin payments were reported before, so
 * that none of these payments counts as gone.
 */
function toCoinDeposits(
  resumed: ResumedWatch,
  list: AddressList | null,
  balance: bigint | null,
): Omit<CoinDeposits, 'isUnread'> {
  const { cursor } = resumed
  if (!list) {
    const isComplete = !cursor.hasCoinPayments
    const from = storedFrom(resumed, 'coin') ?? null
    return { ...noList, isComplete, from, hasChanged: false, balance: cursor.balance }
  }
  const deposits = list.deposits.filter(({ height }) => height > cursor.height)
  return { ...list, deposits, isListed: true, hasChanged: hasChanged(resumed, balance), balance }
}
