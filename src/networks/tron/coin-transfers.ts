import type { Asset } from '../../domain/asset.ts'
import { readQuantity } from '../evm/hex.ts'
import { NetworkError } from '../port.ts'
import { ask, type Query } from '../rpc/batch.ts'
import type { JsonRpc } from '../rpc/json-rpc.ts'
import { mapLimit } from '../rpc/map-limit.ts'
import type { Node } from './node.ts'
import type { Arrival } from './payments.ts'
import type { CoinEntry } from './responses.ts'
import type { Listed } from './rest-api.ts'
import type { ChainTip, ResumedWatch } from './tip.ts'
import { proveCoins } from './verify.ts'

/** What was found out of the coin at one address. */
export interface Coins {
  arrivals: Arrival[]
  /** the index was asked, and can be behind */
  isListed: boolean
  /** nothing that is known of is left out */
  isWhole: boolean
  balance: bigint | null
}

const ADDRESSES_AT_ONCE = 3
const BALANCE_REQUESTS_MAX = 10

export const balanceOf = (account: string): Query<bigint | null> => ({
  call: { method: 'eth_getBalance', params: [account, 'latest'] },
  read: readQuantity,
  onRefused: () => null,
})

/**
 * Reads what came of the coin. That needs a request for each address, so where something else is waited for,
 * it is done only when the balance moved, or something is still open. Throws NetworkFault for those that wait
 * for the coin; of the others it is only not told.
 */
export async function readCoins(
  node: Node,
  coin: Asset,
  stand: ChainTip,
  resumedWatches: ResumedWatch[],
): Promise<Map<ResumedWatch, Coins>> {
  const balances = node.rpc ? await readBalances(node.rpc, resumedWatches) : new Map<string, bigint | null>()
  const balanceNow = ({ account }: ResumedWatch): bigint | null => balances.get(account) ?? null
  const wanted = resumedWatches.filter(
    resumed => isDue(resumed) || !node.rpc || hasMoved(resumed, balanceNow(resumed)),
  )
  const groups = [...Map.groupBy(wanted, ({ account }) => account).values()]
  const lists = await mapLimit(groups, ADDRESSES_AT_ONCE, group => listOf(node, coin, stand, group))
  const listed = new Map(groups.map((group, index) => [group[0]!.account, lists[index] ?? null]))
  return new Map(
    resumedWatches.map(resumed => [
      resumed,
      coinsOf(resumed, listed.get(resumed.account), balanceNow(resumed), wanted.includes(resumed)),
    ]),
  )
}

const isCoin = ({ watch }: ResumedWatch): boolean => watch.asset.contract === null

const isDue = (resumed: ResumedWatch): boolean =>
  isCoin(resumed) || resumed.cursor.hasCoins || resumed.cursor.next !== null

const hasMoved = ({ cursor }: ResumedWatch, balance: bigint | null): boolean =>
  balance !== null && balance !== cursor.balance

/** Of many addresses at an endpoint that takes few calls at once, no balances are read. */
async function readBalances(
  rpc: JsonRpc,
  resumedWatches: ResumedWatch[],
): Promise<Map<string, bigint | null>> {
  const accounts = [
    ...new Set(resumedWatches.filter(resumed => !isCoin(resumed)).map(({ account }) => account)),
  ]
  if (accounts.length > BALANCE_REQUESTS_MAX * rpc.callsAtOnce) return new Map()
  const balances = await ask(rpc, accounts.map(balanceOf))
  return new Map(accounts.map((account, index) => [account, balances[index] ?? null]))
}

interface Found {
  arrivals: Arrival[]
  isWhole: boolean
}

/** Null where the endpoint has no list of the coin, or cannot be heard and nobody waits for it. */
async function listOf(
  node: Node,
  coin: Asset,
  stand: ChainTip,
  group: ResumedWatch[],
): Promise<Found | null> {
  const isAwaited = group.some(isCoin)
  const { account } = group[0]!
  const { rest } = node
  try {
    const since = Math.min(...group.map(({ cursor }) => cursor.place.at))
    const listed: Listed<CoinEntry> | null = rest ? await rest.coinEntries(account, since) : null
    if (!rest || !listed) throw new NetworkError(`lists no payments of ${coin.ticker}`)
    const arrivals = await proveCoins(rest, node.isLocal, coin, stand, account, listed.entries)
    return { arrivals, isWhole: listed.isWhole }
  } catch (error) {
    if (isAwaited || !(error instanceof NetworkError)) throw error
    return null
  }
}

/** What was told before and cannot be looked at now is not to be taken for gone. */
function coinsOf(
  { cursor }: ResumedWatch,
  found: Found | null | undefined,
  balance: bigint | null,
  isWanted: boolean,
): Coins {
  if (!found || !isWanted) {
    return { arrivals: [], isListed: false, isWhole: !cursor.hasCoins, balance: cursor.balance }
  }
  const arrivals = found.arrivals.filter(({ height }) => height > cursor.place.height)
  return { arrivals, isListed: true, isWhole: found.isWhole, balance }
}
