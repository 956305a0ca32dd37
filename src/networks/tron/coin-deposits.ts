import type { Asset } from '../../domain/asset.ts'
import { readQuantity } from '../evm-like/hex.ts'
import type { Tip } from '../evm-like/tip.ts'
import { NetworkError } from '../port.ts'
import { ask, type Query } from '../rpc/batch.ts'
import type { JsonRpc } from '../rpc/json-rpc.ts'
import { mapLimit } from '../rpc/map-limit.ts'
import type { Node } from './node.ts'
import type { Deposit } from './payments.ts'
import type { ResumedWatch } from './resume.ts'
import { verifyCoinEntries } from './verify.ts'

/** What one address received of the coin. */
export interface CoinDeposits {
  deposits: Deposit[]
  /** they come from an index, which can be behind its chain */
  isListed: boolean
  /** no known payment is left out */
  isComplete: boolean
  /** there may be new payments, and the endpoint doesn't list them */
  isUnread: boolean
  /** whether the balance is another one than before */
  hasChanged: boolean
  balance: bigint | null
}

const ADDRESSES_AT_ONCE = 3
const BALANCE_REQUESTS_MAX = 10

export const balanceOf = (address: string): Query<bigint | null> => ({
  call: { method: 'eth_getBalance', params: [address, 'latest'] },
  read: readQuantity,
  onRefused: () => null,
})

/**
 * Reads the payments of the coin. This takes a request for each address. So for a watch of a token, they are
 * read only if the balance changed or earlier payments are still open. Throws NetworkError if a watch of the
 * coin fails; a watch of a token does without.
 */
export async function readCoinDeposits(
  node: Node,
  coin: Asset,
  tip: Tip,
  resumedWatches: ResumedWatch[],
  now: number,
): Promise<Map<ResumedWatch, CoinDeposits>> {
  const balances = node.rpc ? await readBalances(node.rpc, resumedWatches) : new Map<string, bigint | null>()
  const balanceNow = ({ address }: ResumedWatch): bigint | null => balances.get(address) ?? null
  const due = resumedWatches.filter(
    resumed => isDue(resumed, now) || !node.rpc || hasChanged(resumed, balanceNow(resumed)),
  )
  const groups = [...Map.groupBy(due, ({ address }) => address).values()]
  const lists = await mapLimit(groups, ADDRESSES_AT_ONCE, group => listCoin(node, coin, tip, group))
  const byAddress = new Map(groups.map((group, index) => [group[0]!.address, lists[index] ?? null]))
  return new Map(
    resumedWatches.map(resumed => {
      const isRead = due.includes(resumed)
      const list = isRead ? (byAddress.get(resumed.address) ?? null) : null
      return [resumed, { ...toCoinDeposits(resumed, list, balanceNow(resumed)), isUnread: isRead && !list }]
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

/** Reads none if there are too many addresses for an endpoint that takes few calls at once. */
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

interface CoinList {
  deposits: Deposit[]
  isComplete: boolean
}

/** Null if the endpoint doesn't list the coin or fails, and no watch of the coin needs it. */
async function listCoin(node: Node, coin: Asset, tip: Tip, group: ResumedWatch[]): Promise<CoinList | null> {
  const { address } = group[0]!
  const { rest } = node
  try {
    const since = Math.min(...group.map(({ cursor }) => cursor.at))
    const listed = rest ? await rest.coinEntries(address, since) : null
    if (!rest || !listed) throw new NetworkError(`does not list payments of ${coin.ticker}`)
    const { deposits, isComplete } = await verifyCoinEntries(
      { rest, isLocal: node.isLocal, tip },
      coin,
      address,
      listed.entries,
    )
    return { deposits, isComplete: isComplete && listed.isComplete }
  } catch (error) {
    if (group.some(isCoinWatch) || !(error instanceof NetworkError)) throw error
    return null
  }
}

/** Payments that were reported before and can't be read now must not be taken for gone. */
function toCoinDeposits(
  resumed: ResumedWatch,
  list: CoinList | null,
  balance: bigint | null,
): Omit<CoinDeposits, 'isUnread'> {
  const { cursor } = resumed
  if (!list) {
    const isComplete = !cursor.hasCoinPayments
    return { deposits: [], isListed: false, isComplete, hasChanged: false, balance: cursor.balance }
  }
  const { isComplete } = list
  const deposits = list.deposits.filter(({ height }) => height > cursor.height)
  return { deposits, isListed: true, isComplete, hasChanged: hasChanged(resumed, balance), balance }
}
