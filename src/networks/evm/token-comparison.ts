import type { Asset } from '../../domain/asset.ts'
import { asserted } from '../../domain/errors.ts'
import { type ChainConfig, coinOf, tokensOf } from '../evm-like/chain-config.ts'
import type { LogReader } from '../evm-like/logs.ts'
import type { Header } from '../evm-like/rpc-calls.ts'
import {
  FLUSHES,
  readTokenTransfers,
  type TokenDeposit,
  type TokenTransfers,
} from '../evm-like/token-transfers.ts'
import type { Node } from '../rpc/batch.ts'
import type { BalanceReader } from './balances.ts'
import { CHANGES_MAX, type Cursor } from './cursor.ts'
import type { ResumedWatch } from './resume.ts'

/** The transfers of one address, after they were compared with its token balances. */
export interface ComparedTransfers extends TokenTransfers {
  /** the payments before these transfers, by asset: up to the cursor's height, or none after a rereading */
  counted: Cursor['counted']
  /** the part of a deposit that the balance covers, for deposits that it does not cover entirely */
  covered: Map<TokenDeposit, bigint>
  /** true if the logs were read again from the start of the watch */
  isReread: boolean
  comparison: Pick<Cursor, 'comparedAt' | 'rereadAt' | 'rereads' | 'lacking'>
}

/**
 * The time after which balances are compared with the logs again. They are also compared with each payment.
 */
const COMPARE_MS = 600_000
const REREAD_FIRST_MS = 30_000
const REREAD_MAX_MS = 3_600_000

type Balances = Map<string, bigint | null>

interface Readers {
  logs: LogReader
  balances: BalanceReader
}

/**
 * Compares the logs with the token balances, since a node can leave out logs without an error. If they
 * differ, the logs are read again from the start of the watch. An address is left out if some of its blocks
 * could not be read and the balances do not prove that they contain no payment. Also returns the coin
 * balances, which are read in the same request; empty if the table of assets does not list the coin. Throws
 * NetworkError.
 */
export async function compareTokens(
  node: Node,
  readers: Readers,
  config: ChainConfig,
  transfers: Map<ResumedWatch, TokenTransfers>,
  head: Header,
): Promise<{ compared: Map<ResumedWatch, ComparedTransfers>; coins: Balances }> {
  const now = config.clock()
  const tokens = [...tokensOf(config).values()]
  const due = new Set(
    [...transfers].filter(([resumed, own]) => isDue(resumed, own, now)).map(([resumed]) => resumed),
  )
  const [coins = new Map(), ...held] = await readers.balances.read(
    node,
    [
      { contract: null, addresses: coinOf(config) ? [...transfers.keys()].map(addressOf) : [] },
      ...tokens.map(({ contract }) => ({ contract, addresses: [...due].map(addressOf) })),
    ],
    head,
  )
  const balances = new Map(
    tokens.map((asset, index): [Asset, Balances] => [
      asset,
      asserted(held[index], 'each token has its balances'),
    ]),
  )
  const first = new Map(
    [...transfers].map(([resumed, own]): [ResumedWatch, Counted] => [
      resumed,
      { ...own, counted: resumed.cursor.counted, isReread: false },
    ]),
  )
  const suspicious = [...due].filter(
    resumed =>
      totalOf(difference(resumed, asserted(first.get(resumed), 'each watch has transfers'), balances)) > 0n &&
      mayReread(resumed.cursor, now),
  )
  const reread = await readFromStart(node, readers.logs, config, transfers, suspicious, head)
  const compared = [...first].flatMap(([resumed, own]): [ResumedWatch, ComparedTransfers][] => {
    const again = reread.get(resumed)
    const isBetter =
      again && isSmaller(difference(resumed, again, balances), difference(resumed, own, balances))
    const best = isBetter ? again : own
    const left = totalOf(difference(resumed, best, balances))
    const isCompared =
      due.has(resumed) && [...balances.values()].every(known => known.get(resumed.address) != null)
    // If blocks could not be read, only balances that agree with the logs prove that they contain no payment.
    if (best.unread.size > 0 && (best.unread.has(FLUSHES) || !isCompared || left > 0n)) return []
    const comparedAt = isCompared ? now : resumed.cursor.comparedAt
    const covered = coverage(resumed, best, balances)
    const comparison = {
      ...{ comparedAt, ...rereading(resumed, again, left, now) },
      ...(isCompared && { lacking: lackingAfter(resumed.cursor, best, covered) }),
    }
    return [[resumed, { ...best, covered, comparison }]]
  })
  return { compared: new Map(compared), coins }
}

const addressOf = ({ address }: ResumedWatch): string => address

const isDue = ({ cursor, watch }: ResumedWatch, { deposits, unread }: TokenTransfers, now: number): boolean =>
  deposits.length > 0 ||
  unread.size > 0 ||
  watch.isTakenOver === true ||
  now - cursor.comparedAt >= COMPARE_MS

/**
 * True if the logs may be read again. While rereadings do not explain a difference, they become less and less
 * frequent.
 */
const mayReread = ({ rereadAt, rereads }: Cursor, now: number): boolean =>
  rereads === 0 || now - rereadAt >= Math.min(REREAD_FIRST_MS * 2 ** rereads, REREAD_MAX_MS)

function rereading(
  { cursor }: ResumedWatch,
  again: Counted | undefined,
  left: bigint,
  now: number,
): Pick<Cursor, 'rereadAt' | 'rereads'> {
  if (left === 0n) return { rereadAt: cursor.rereadAt, rereads: 0 }
  return again
    ? { rereadAt: now, rereads: cursor.rereads + 1 }
    : { rereadAt: cursor.rereadAt, rereads: cursor.rereads }
}

/** Transfers above a height, with the payments up to that height. */
interface Counted extends TokenTransfers {
  counted: Cursor['counted']
  isReread: boolean
}

async function readFromStart(
  node: Node,
  reader: LogReader,
  config: ChainConfig,
  transfers: Map<ResumedWatch, TokenTransfers>,
  watches: ResumedWatch[],
  head: Header,
): Promise<Map<ResumedWatch, Counted>> {
  const started = watches.map(resumed => ({ ...resumed, cursor: { height: resumed.cursor.startHeight } }))
  const found = await readTokenTransfers(node, reader, config, started, head)
  return new Map(
    watches.map((resumed, index) => {
      const { deposits, outflows, unread } = asserted(
        found.get(asserted(started[index], 'each watch was started')),
        'each watch was read',
      )
      const own = { deposits: deposits.filter(one => isAfterAllocation(resumed, one)), outflows, unread }
      // The flushes are kept: they belong to the coin balance, which continues at the cursor.
      return [
        resumed,
        {
          ...own,
          flushes: asserted(transfers.get(resumed), 'each watch has transfers').flushes,
          counted: {},
          isReread: true,
        },
      ]
    }),
  )
}

const isAfterAllocation = ({ cursor: { account } }: ResumedWatch, { log }: TokenDeposit): boolean =>
  account === null || log.height > account.allocatedAfter.height

const sumOf = (amounts: bigint[]): bigint => amounts.reduce((sum, amount) => sum + amount, 0n)

/** Returns the token balance that an address should have, if the owner of an account spent nothing. */
function expectedOf(
  { payout, cursor: { account } }: ResumedWatch,
  { deposits, outflows, counted }: Counted,
  { id }: Asset,
): bigint {
  const arrived = sumOf(deposits.filter(({ asset }) => asset.id === id).map(({ amount }) => amount))
  const left = sumOf(outflows.filter(({ asset }) => asset.id === id).map(({ log }) => BigInt(log.bytes)))
  return (account?.tokens[id] ?? 0n) + (counted[id] ?? 0n) + arrived - (payout === null ? 0n : left)
}

/** How far the token balances of an address are above and below what its logs say. */
interface Difference {
  surplus: bigint
  shortage: bigint
}

/** Compares balances with logs. An account may hold less, since its owner can spend. */
function difference(resumed: ResumedWatch, own: Counted, balances: Map<Asset, Balances>): Difference {
  const above = [...balances].map(([asset, held]) => {
    const balance = held.get(resumed.address) ?? null
    return balance === null ? 0n : balance - expectedOf(resumed, own, asset)
  })
  return {
    surplus: sumOf(above.filter(more => more > 0n)),
    shortage: resumed.payout === null ? 0n : -sumOf(above.filter(more => more < 0n)),
  }
}

const totalOf = ({ surplus, shortage }: Difference): bigint => surplus + shortage

/**
 * True if logs explain the balances better than others do. Money that they miss matters more than money that
 * they invent: a token that keeps a fee logs too much, and `coverage` takes that off.
 */
const isSmaller = (one: Difference, other: Difference): boolean =>
  one.surplus === other.surplus ? one.shortage < other.shortage : one.surplus < other.surplus

const keyOf = ({ log }: TokenDeposit): string => `${log.txHash} ${log.index}`

/**
 * Finds the deposits that a forwarder's balance does not cover: first those that lacked something before,
 * then new ones, since a final amount is never lowered, and then the newest. A forwarder holds everything
 * that arrived and was not paid out, so if it holds less, the token logged more than it moved.
 */
function coverage(
  resumed: ResumedWatch,
  own: Counted,
  balances: Map<Asset, Balances>,
): Map<TokenDeposit, bigint> {
  const covered = new Map<TokenDeposit, bigint>()
  const { payout, cursor } = resumed
  if (payout === null) return covered
  for (const [asset, held] of balances) {
    const balance = held.get(resumed.address) ?? null
    if (balance === null) continue
    let missing = expectedOf(resumed, own, asset) - balance
    const newestFirst = own.deposits
      .filter(deposit => deposit.asset.id === asset.id)
      .toSorted((a, b) => b.log.height - a.log.height || b.log.index - a.log.index)
    const lackedBefore = (deposit: TokenDeposit): bigint | undefined => cursor.lacking?.[keyOf(deposit)]
    const mostOf = [
      (deposit: TokenDeposit) => lackedBefore(deposit) ?? 0n,
      (deposit: TokenDeposit) => (lackedBefore(deposit) === undefined ? deposit.amount : 0n),
      ({ amount }: TokenDeposit) => amount,
    ]
    for (const most of mostOf) {
      for (const deposit of newestFirst) {
        const left = covered.get(deposit) ?? deposit.amount
        const short = [most(deposit), left, missing].reduce((least, one) => (one < least ? one : least))
        if (short <= 0n) continue
        covered.set(deposit, left - short)
        missing -= short
      }
    }
  }
  return covered
}

/**
 * What is lacking of deposits: of those that were read now by this reading, of others as before. If there are
 * too many, those that lack nothing are forgotten first.
 */
function lackingAfter(
  { lacking = {} }: Cursor,
  { deposits }: TokenTransfers,
  covered: ReadonlyMap<TokenDeposit, bigint>,
): Record<string, bigint> {
  const after = new Map(Object.entries(lacking))
  for (const deposit of deposits) {
    after.delete(keyOf(deposit))
    after.set(keyOf(deposit), deposit.amount - (covered.get(deposit) ?? deposit.amount))
  }
  const wholeFirst = [...after].toSorted(([, a], [, b]) => Number(a > 0n) - Number(b > 0n))
  return Object.fromEntries(wholeFirst.slice(-CHANGES_MAX))
}
