import type { Asset } from '../../domain/asset.ts'
import { asserted } from '../../domain/errors.ts'
import type { Node } from '../rpc/batch.ts'
import { type ChainConfig, coinOf, tokensOf } from './chain-config.ts'
import { toTopic } from './hex.ts'
import type { BlockRange, LogSearch } from './log-search.ts'
import type { LogReader } from './logs.ts'
import type { Header, Log } from './rpc-calls.ts'

/** The topic of `Transfer(address indexed from, address indexed to, uint256 value)`. */
const TRANSFER = '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef'

/** The kind of search that finds the coin payouts of forwarders. */
export const FLUSHES = 'flushes'

/** An address whose logs are read. */
interface TransferWatch {
  /** 20 bytes in hexadecimal, lower case */
  address: string
  /** the payout wallet of a forwarder, in lower case; null for any other address */
  payout: string | null
  /** the logs up to the cursor's height are known */
  cursor: { height: number }
}

export interface TokenDeposit {
  asset: Asset
  amount: bigint
  log: Log
}

/** A coin payout of a forwarder. */
export interface Flush {
  height: number
  amount: bigint
}

/** The transfers of one address, as logs report them. */
export interface TokenTransfers {
  deposits: TokenDeposit[]
  flushes: Flush[]
  /** the payouts of the address in any asset, if it is a forwarder */
  outflows: { asset: Asset; log: Log }[]
  /** the kinds of search that could not read all blocks, because some blocks have too many logs */
  unread: ReadonlySet<string>
}

/** Reads the logs of many addresses in few queries. Throws NetworkError. */
export async function readTokenTransfers<W extends TransferWatch>(
  node: Node,
  reader: LogReader,
  config: ChainConfig,
  watches: W[],
  head: Header,
): Promise<Map<W, TokenTransfers>> {
  const tokens = tokensOf(config)
  const sorted = watches.toSorted((a, b) => a.cursor.height - b.cursor.height)
  const searches: LogSearch[] = []
  for (let next = 0; next < sorted.length; next += config.addressesAtOnce) {
    const group = sorted.slice(next, next + config.addressesAtOnce)
    const range = {
      from: asserted(group[0], 'a group of watches has one').cursor.height + 1,
      to: head.height,
    }
    searches.push(...searchesFor(config, group).map(search => ({ ...range, ...search })))
  }
  const { logs, unread } = await reader.read(node, searches, head)
  const unique = new Map(logs.map(log => [`${log.blockHash} ${log.index}`, log])).values().toArray()
  const byReceiver = Map.groupBy(unique, receiverOf)
  const bySender = Map.groupBy(unique, senderOf)
  return new Map(
    watches.map(watch => {
      const isNew = ({ height }: Log): boolean => height > watch.cursor.height
      const incoming = (byReceiver.get(watch.address) ?? []).filter(isNew)
      const outgoing = (bySender.get(watch.address) ?? []).filter(isNew)
      return [
        watch,
        {
          deposits: incoming.flatMap(log => toTokenDeposits(log, tokens)),
          flushes: watch.payout === null ? [] : outgoing.flatMap(toFlushes),
          outflows: outgoing.flatMap(log => toOutflows(log, watch, config, tokens)),
          unread: unread.get(watch.address) ?? nothing,
        },
      ]
    }),
  )
}

const nothing: ReadonlySet<string> = new Set()

type Search = Omit<LogSearch, keyof BlockRange>

/** The searches for tokens to any of the addresses, tokens from forwarders, and the forwarders' own logs. */
function searchesFor(config: ChainConfig, watches: TransferWatch[]): Search[] {
  const address = [...tokensOf(config).keys()]
  const addressesOf = (some: TransferWatch[]): string[] => [...new Set(some.map(one => one.address))]
  const forwarders = addressesOf(watches.filter(({ payout }) => payout !== null))
  const incoming: Search = {
    kind: 'incoming',
    addresses: addressesOf(watches),
    filterFor: some => ({ address, topics: [TRANSFER, null, some.map(toTopic)] }),
  }
  const outgoing: Search = {
    kind: 'outgoing',
    addresses: forwarders,
    filterFor: some => ({ address, topics: [TRANSFER, some.map(toTopic)] }),
  }
  const flushes: Search = {
    kind: FLUSHES,
    addresses: forwarders,
    filterFor: some => ({ address: some, topics: [] }),
  }
  const searches = address.length > 0 ? [incoming, outgoing] : []
  if (coinOf(config)) searches.push(flushes)
  return searches.filter(({ addresses }) => addresses.length > 0)
}

const WORD_LENGTH = 66

export const isTransfer = ({ topics }: Log): boolean => topics.length === 3 && topics[0] === TRANSFER

const topicAddress = (log: Log, index: 1 | 2): string =>
  `0x${asserted(log.topics[index], 'a transfer has its topics').slice(26)}`

const receiverOf = (log: Log): string => (isTransfer(log) ? topicAddress(log, 2) : '')

/** Returns the sender of a token, or the forwarder that logged its own flush. */
export const senderOf = (log: Log): string => (isTransfer(log) ? topicAddress(log, 1) : log.contract)

/**
 * Returns one deposit, or none if the table does not list the contract: anybody can deploy a token named
 * USDC.
 */
export function toTokenDeposits(log: Log, tokens: Map<string, Asset>): TokenDeposit[] {
  const asset = tokens.get(log.contract)
  if (!asset || !isTransfer(log) || log.bytes.length !== WORD_LENGTH) return []
  const isToSelf = log.topics[1] === log.topics[2]
  const amount = BigInt(log.bytes)
  return amount === 0n || isToSelf ? [] : [{ asset, amount, log }]
}

export const isFlush = ({ topics, bytes }: Log): boolean =>
  topics.length === 0 && bytes.length === WORD_LENGTH

const toFlushes = (log: Log): Flush[] =>
  isFlush(log) ? [{ height: log.height, amount: BigInt(log.bytes) }] : []

/** Returns one outflow or none. A forwarder pays only its payout wallet, and logs each flush of the coin. */
function toOutflows(
  log: Log,
  { payout }: TransferWatch,
  config: ChainConfig,
  tokens: Map<string, Asset>,
): TokenTransfers['outflows'] {
  const asset = isFlush(log) ? coinOf(config) : tokens.get(log.contract)
  const isToPayout = isFlush(log) || (isTransfer(log) && topicAddress(log, 2) === payout)
  if (!asset || payout === null || !isToPayout || log.bytes.length !== WORD_LENGTH) return []
  return BigInt(log.bytes) === 0n ? [] : [{ asset, log }]
}
