import type { ChainConfig } from '../evm/chain-config.ts'
import { coinOf, tokensOf } from '../evm/chain-config.ts'
import type { LogReader } from '../evm/logs.ts'
import type { Watch, WatchResult } from '../port.ts'
import { mapLimit } from '../rpc/map-limit.ts'
import { type Coins, readCoins } from './coin-transfers.ts'
import { type Cursor, printCursor } from './cursor.ts'
import type { Node } from './node.ts'
import { type Arrival, toDetectedPayments } from './payments.ts'
import type { Rest } from './rest-api.ts'
import { type ChainTip, type ResumedWatch, standByRest, standByRpc } from './tip.ts'
import { proveTokens } from './verify.ts'

/** An index that tells of a block's payments later than this after the block has lost them. */
const INDEX_LAG_MS = 600_000
const ADDRESSES_AT_ONCE = 3

/** What was found out of the tokens at one address. */
interface Tokens {
  arrivals: Arrival[]
  isListed: boolean
  isWhole: boolean
}

const noCoins: Coins = { arrivals: [], isListed: false, isWhole: true, balance: null }

/** Looks once at many addresses, with one endpoint, at one tip. Throws NetworkFault. */
export async function look(
  node: Node,
  config: ChainConfig,
  reader: LogReader,
  watches: Watch[],
): Promise<WatchResult[]> {
  const { stand, tokens } = await readTokens(node, config, reader, watches)
  const coin = coinOf(config)
  const resumedWatches = [...tokens.keys()]
  const coins = coin ? await readCoins(node, coin, stand, resumedWatches) : new Map<ResumedWatch, Coins>()
  return resumedWatches.map(resumed =>
    watchedOf(config, stand, resumed, tokens.get(resumed)!, coins.get(resumed) ?? noCoins),
  )
}

/** By logs of all addresses at once where there is JSON-RPC; elsewhere by an index, one after another. */
async function readTokens(
  node: Node,
  config: ChainConfig,
  reader: LogReader,
  watches: Watch[],
): Promise<{ stand: ChainTip; tokens: Map<ResumedWatch, Tokens> }> {
  const { rpc, rest } = node
  if (rpc || !rest) {
    const { stand, arrivals } = await standByRpc(rpc!, config, reader, watches)
    const tokens = [...arrivals].map(([resumed, own]): [ResumedWatch, Tokens] => [
      resumed,
      { arrivals: own, isListed: false, isWhole: true },
    ])
    return { stand, tokens: new Map(tokens) }
  }
  const { stand, resumedWatches } = await standByRest(rest, config, watches)
  const groups = [...Map.groupBy(resumedWatches, ({ account }) => account).values()]
  const lists = await mapLimit(groups, ADDRESSES_AT_ONCE, group => listTokens(rest, config, stand, group))
  const tokens = groups.flatMap((group, index) => group.map(resumed => [resumed, lists[index]!] as const))
  return { stand, tokens: new Map(tokens) }
}

async function listTokens(
  rest: Rest,
  config: ChainConfig,
  stand: ChainTip,
  group: ResumedWatch[],
): Promise<Tokens> {
  const { account } = group[0]!
  const since = Math.min(...group.map(({ cursor }) => cursor.place.at))
  const lists = await mapLimit([...tokensOf(config).keys()], 1, contract =>
    rest.tokenEntries(account, contract, since),
  )
  const entries = lists.flatMap(listed => listed.entries)
  const arrivals = await proveTokens(rest, config, stand, account, entries)
  return { arrivals, isListed: true, isWhole: lists.every(({ isWhole }) => isWhole) }
}

function watchedOf(
  config: ChainConfig,
  stand: ChainTip,
  resumed: ResumedWatch,
  tokens: Tokens,
  coins: Coins,
): WatchResult {
  const { cursor, watch } = resumed
  const { tip } = stand
  const fresh = [...tokens.arrivals, ...coins.arrivals].filter(({ height }) => height > cursor.place.height)
  const isWhole = tokens.isWhole && coins.isWhole
  const seen = { seen: tip.head.height, seenAt: config.clock() }
  return {
    attemptId: watch.attemptId,
    detectedPayments: toDetectedPayments(fresh, config.chainId, tip),
    // Where not everything could be looked at, nothing is said to be gone.
    completeFrom: isWhole ? cursor.place.height + 1 : tip.head.height + 1,
    cursor: printCursor({ ...(isWhole ? movedOn(resumed, stand, tokens, coins) : cursor), ...seen }),
  }
}

/**
 * Logs are there with their blocks, so that a watch goes on from the newest final one. An index may be behind
 * its chain, so that what it was asked for is asked for again, until it is long enough ago.
 */
function movedOn(
  { watch, cursor }: ResumedWatch,
  { base, settled }: ChainTip,
  tokens: Tokens,
  coins: Coins,
): Cursor {
  const { balance } = coins
  if (!tokens.isListed && !coins.isListed) {
    const place = base.height > cursor.place.height ? base : cursor.place
    return { ...cursor, place, next: null, hasCoins: false, balance }
  }
  const { next } = cursor
  const isReached = next !== null && next.height <= settled && base.at - next.at >= INDEX_LAG_MS
  const place = isReached ? next : cursor.place
  const hasCoins = coins.arrivals.some(({ height }) => height > place.height)
  const isOver =
    isReached && !tokens.isListed && watch.asset.contract !== null && !hasCoins && balance === cursor.balance
  const later = base.height > place.height ? base : null
  const following = isReached ? (isOver ? null : later) : (next ?? later)
  return { ...cursor, place, next: following, hasCoins, balance }
}
