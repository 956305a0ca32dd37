import type { Asset } from '../../domain/asset.ts'
import type { Ground } from './ground.ts'
import { coinOf, tokensOf } from './ground.ts'
import { toTopic } from './hex.ts'
import type { LogReader, Search } from './logs.ts'
import type { Header, Log } from './questions.ts'
import type { Node } from './rpc.ts'
import type { Subject } from './subject.ts'

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
}

/** Reads what came and went by logs, for many addresses in few questions. Throws NetworkFault. */
export async function readMovements(
  node: Node,
  reader: LogReader,
  ground: Ground,
  subjects: Subject[],
  head: Header,
): Promise<Map<Subject, Movements>> {
  const tokens = tokensOf(ground)
  const sorted = subjects.toSorted((a, b) => a.cursor.height - b.cursor.height)
  const searches: Search[] = []
  for (let next = 0; next < sorted.length; next += ground.addressesAtOnce) {
    const together = sorted.slice(next, next + ground.addressesAtOnce)
    const addresses = together.map(({ address }) => address)
    const range = { from: together[0]!.cursor.height + 1, to: head.height }
    if (tokens.size > 0) {
      const topics = [TRANSFER, null, addresses.map(toTopic)]
      searches.push({ ...range, filter: { address: [...tokens.keys()], topics } })
    }
    if (coinOf(ground)) searches.push({ ...range, filter: { address: addresses, topics: [] } })
  }
  const logs = await reader.read(node, searches, head)
  const byAddress = Map.groupBy(logs, addressOf)
  return new Map(
    subjects.map(subject => {
      const own = byAddress.get(subject.address) ?? []
      const fresh = own.filter(log => log.height > subject.cursor.height)
      const payments = fresh.flatMap(log => paymentOf(log, tokens))
      return [subject, { payments, flushes: fresh.flatMap(flushOf) }]
    }),
  )
}

const WORD_LENGTH = 66

const isTransfer = ({ topics }: Log): boolean => topics.length === 3 && topics[0] === TRANSFER

/** Whom a log is about: who receives a token, or the forwarder that tells of itself. */
const addressOf = (log: Log): string => (isTransfer(log) ? `0x${log.topics[2]!.slice(26)}` : log.contract)

/** None or one. The contract has to be of our table: anybody can deploy a token that calls itself USDC. */
export function paymentOf(log: Log, tokens: Map<string, Asset>): TokenPayment[] {
  const asset = tokens.get(log.contract)
  if (!asset || !isTransfer(log) || log.bytes.length !== WORD_LENGTH) return []
  const isOwn = log.topics[1] === log.topics[2]
  const amount = BigInt(log.bytes)
  return amount === 0n || isOwn ? [] : [{ asset, amount, log }]
}

const flushOf = (log: Log): { height: number; amount: bigint }[] =>
  log.topics.length === 0 && log.bytes.length === WORD_LENGTH
    ? [{ height: log.height, amount: BigInt(log.bytes) }]
    : []
