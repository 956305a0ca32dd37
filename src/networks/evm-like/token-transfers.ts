import type { Asset } from '../../domain/asset.ts'
import type { ResumedWatch } from '../evm/resume.ts'
import type { Node } from '../rpc/batch.ts'
import type { ChainConfig } from './chain-config.ts'
import { coinOf, tokensOf } from './chain-config.ts'
import { toTopic } from './hex.ts'
import type { LogReader, Search } from './logs.ts'
import type { Header, Log, LogFilter } from './rpc-calls.ts'

/** Transfer(address indexed from, address indexed to, uint256 value) */
const TRANSFER = '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef'

export interface TokenPayment {
  asset: Asset
  amount: bigint
  log: Log
}

/** What the logs say of one address. */
export interface Movements {
  payments: TokenPayment[]
  /** what its forwarder paid out of the native coin */
  flushes: { height: number; amount: bigint }[]
  /** what its forwarder paid out of anything, by the log that says so */
  outflows: { asset: Asset; log: Log }[]
}

/** Reads what came and went by logs, for many addresses in few questions. Throws NetworkFault. */
export async function readMovements(
  node: Node,
  reader: LogReader,
  config: ChainConfig,
  resumedWatches: ResumedWatch[],
  head: Header,
): Promise<Map<ResumedWatch, Movements>> {
  const tokens = tokensOf(config)
  const sorted = resumedWatches.toSorted((a, b) => a.cursor.height - b.cursor.height)
  const searches: Search[] = []
  for (let next = 0; next < sorted.length; next += config.addressesAtOnce) {
    const together = sorted.slice(next, next + config.addressesAtOnce)
    const range = { from: together[0]!.cursor.height + 1, to: head.height }
    searches.push(...filtersOf(config, together).map(filter => ({ ...range, filter })))
  }
  const logs = await reader.read(node, searches, head)
  const own = new Map(logs.map(log => [`${log.blockHash} ${log.index}`, log]))
  const [byReceiver, bySender] = [receiverOf, senderOf].map(whose => Map.groupBy(own.values(), whose))
  return new Map(
    resumedWatches.map(resumed => {
      const isFresh = ({ height }: Log): boolean => height > resumed.cursor.height
      const came = (byReceiver!.get(resumed.address) ?? []).filter(isFresh)
      const went = (bySender!.get(resumed.address) ?? []).filter(isFresh)
      const flushes = resumed.payout === null ? [] : went.flatMap(flushOf)
      return [
        resumed,
        {
          payments: came.flatMap(log => paymentOf(log, tokens)),
          flushes,
          outflows: went.flatMap(log => outflowOf(log, resumed, config, tokens)),
        },
      ]
    }),
  )
}

/** Tokens to the addresses; and what forwarders say of themselves, and tokens from them. */
function filtersOf(config: ChainConfig, resumedWatches: ResumedWatch[]): LogFilter[] {
  const tokens = [...tokensOf(config).keys()]
  const unique = (some: ResumedWatch[]): string[] => [...new Set(some.map(({ address }) => address))]
  const all = unique(resumedWatches)
  const forwarders = unique(resumedWatches.filter(({ payout }) => payout !== null))
  const filters: LogFilter[] = []
  if (tokens.length > 0) filters.push({ address: tokens, topics: [TRANSFER, null, all.map(toTopic)] })
  if (forwarders.length === 0) return filters
  if (tokens.length > 0) filters.push({ address: tokens, topics: [TRANSFER, forwarders.map(toTopic)] })
  if (coinOf(config)) filters.push({ address: forwarders, topics: [] })
  return filters
}

const WORD_LENGTH = 66

const isTransfer = ({ topics }: Log): boolean => topics.length === 3 && topics[0] === TRANSFER

const partyOf = (log: Log, place: 1 | 2): string => `0x${log.topics[place]!.slice(26)}`

const receiverOf = (log: Log): string => (isTransfer(log) ? partyOf(log, 2) : '')

/** Who sends a token, or the forwarder that tells of itself. */
const senderOf = (log: Log): string => (isTransfer(log) ? partyOf(log, 1) : log.contract)

/** None or one. The contract has to be of our table: anybody can deploy a token that calls itself USDC. */
export function paymentOf(log: Log, tokens: Map<string, Asset>): TokenPayment[] {
  const asset = tokens.get(log.contract)
  if (!asset || !isTransfer(log) || log.bytes.length !== WORD_LENGTH) return []
  const isOwn = log.topics[1] === log.topics[2]
  const amount = BigInt(log.bytes)
  return amount === 0n || isOwn ? [] : [{ asset, amount, log }]
}

const isFlush = ({ topics, bytes }: Log): boolean => topics.length === 0 && bytes.length === WORD_LENGTH

const flushOf = (log: Log): { height: number; amount: bigint }[] =>
  isFlush(log) ? [{ height: log.height, amount: BigInt(log.bytes) }] : []

/** A forwarder pays its payout wallet alone, and says so of the coin itself. */
function outflowOf(
  log: Log,
  { payout }: ResumedWatch,
  config: ChainConfig,
  tokens: Map<string, Asset>,
): Movements['outflows'] {
  const asset = isFlush(log) ? coinOf(config) : tokens.get(log.contract)
  const isToPayout = isFlush(log) || (isTransfer(log) && partyOf(log, 2) === payout)
  if (!asset || payout === null || !isToPayout || log.bytes.length !== WORD_LENGTH) return []
  return BigInt(log.bytes) === 0n ? [] : [{ asset, log }]
}
