import type { Asset } from '../../domain/asset.ts'
import { type ChainConfig, tokensOf } from '../evm-like/chain-config.ts'
import type { Tip } from '../evm-like/tip.ts'
import { toTokenDeposits } from '../evm-like/token-transfers.ts'
import { NetworkError } from '../port.ts'
import { mapLimit } from '../rpc/map-limit.ts'
import type { Entry, Group } from './choose-entries.ts'
import type { Limit } from './limit.ts'
import type { Deposit } from './payments.ts'
import type { CoinEntry, CoinTransfer, Outcome, TokenEntry } from './responses.ts'
import type { Rest } from './rest-api.ts'

const REQUESTS_AT_ONCE = 2

/** A transaction as the node reports it. The index is only trusted to name transactions. */
interface VerifiedOutcome extends Outcome {
  /** true if the node reports the transaction in a solid block */
  isSolid: boolean
}

/** The payments that transactions of an index made, according to the node. */
export interface VerifiedDeposits {
  deposits: Deposit[]
  /**
   * the time of the oldest transaction that the node does not know or did not report; null if there is no
   * such transaction
   */
  unknownFrom: number | null
}

/** Everything that is needed to read transactions. */
export interface Source {
  rest: Rest
  /** true if the endpoint runs on this machine */
  isLocal: boolean
  tip: Tip
  limit: Limit
}

/**
 * Reads a transaction; null if it failed or is in a block after the tip, 'unknown' if the node does not have
 * it or rejects requests now.
 */
const readOutcome = async (
  { rest, tip, limit }: Source,
  entry: Entry,
): Promise<VerifiedOutcome | null | 'unknown'> => {
  const answer = await limit.run(async () => ({ outcome: await outcomeOf(rest, tip, entry) }))
  return answer ? answer.outcome : 'unknown'
}

async function outcomeOf(
  rest: Rest,
  tip: Tip,
  { txId, at }: Entry,
): Promise<VerifiedOutcome | null | 'unknown'> {
  const mayBeSolid = tip.finalized === null || at <= tip.finalized.at
  const solid = mayBeSolid ? await rest.outcome(txId, 'walletsolidity') : null
  const outcome = solid ?? (await rest.outcome(txId, 'wallet'))
  if (!outcome) return at <= tip.head.at ? 'unknown' : null
  if (!outcome.succeeded || outcome.height > tip.head.height) return null
  return { ...outcome, isSolid: solid !== null }
}

/** Finds the token payments in transactions that an index named. Throws NetworkError. */
export async function verifyTokenEntries(
  source: Source,
  config: ChainConfig,
  address: string,
  groups: Group<TokenEntry>[],
): Promise<VerifiedDeposits> {
  const tokens = tokensOf(config)
  const outcomes = await mapLimit(groups, REQUESTS_AT_ONCE, ([entry]) => readOutcome(source, entry))
  const deposits = outcomes.flatMap(outcome => {
    if (outcome === null || outcome === 'unknown') return []
    const { txId, height, at, isSolid, logs } = outcome
    const own = logs.filter(({ topics }) => topics[2] && `0x${topics[2].slice(-40)}` === address)
    return own
      .flatMap(log => toTokenDeposits(log, tokens))
      .map(({ asset, amount, log: { contract, topics, bytes } }): Deposit => {
        const evidence = { kind: 'log', address: contract, topics, data: bytes }
        return { asset, amount, txId, to: address, height, at, isSolid, evidence }
      })
  })
  return { deposits, unknownFrom: oldest(groups.filter((_, index) => outcomes[index] === 'unknown')) }
}

const oldest = (groups: Group<Entry>[]): number | null =>
  groups.length === 0 ? null : Math.min(...groups.map(([entry]) => entry.at))

/** Finds the coin payments in transactions that an index named. Throws NetworkError. */
export async function verifyCoinEntries(
  source: Source,
  coin: Asset,
  address: string,
  groups: Group<CoinEntry>[],
): Promise<VerifiedDeposits> {
  const unknown: Group<CoinEntry>[] = []
  const deposits = await mapLimit(groups, REQUESTS_AT_ONCE, async group => {
    const outcome = await readOutcome(source, group[0])
    const copy = group.find(({ transfer }) => transfer !== null)?.transfer
    const moved =
      outcome && outcome !== 'unknown' && copy
        ? await source.limit.run(async () => ({ transfer: await verifyTransfer(source, outcome, copy) }))
        : { transfer: null }
    if (outcome === 'unknown' || !moved) unknown.push(group)
    if (outcome === null || outcome === 'unknown' || !moved) return []
    const { txId, height, at, isSolid } = outcome
    const { transfer } = moved
    const transfers = [
      ...(transfer ? [{ ...transfer, kind: 'transfer' }] : []),
      ...outcome.internals.map(internal => ({ ...internal, kind: 'internal' })),
    ]
    return transfers
      .filter(({ from, to, amount }) => to === address && from !== to && amount > 0n)
      .map(({ from, to, amount, kind }): Deposit => {
        const evidence = { kind, from, to, value: amount.toString() }
        return { asset: coin, amount, txId, to, height, at, isSolid, evidence }
      })
  })
  return { deposits: deposits.flat(), unknownFrom: oldest(unknown) }
}

/**
 * Reads a transfer from the node. The index's copy is used only on this machine, if the node does not serve
 * transactions.
 */
async function verifyTransfer(
  { rest, isLocal }: Source,
  { txId, isSolid }: VerifiedOutcome,
  copy: CoinTransfer,
): Promise<CoinTransfer | null> {
  const transfer = await rest.transfer(txId, isSolid ? 'walletsolidity' : 'wallet')
  if (transfer !== undefined) return transfer
  if (isLocal) return copy
  throw new NetworkError('does not serve /wallet/gettransactionbyid')
}
