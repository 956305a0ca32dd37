import type { Asset } from '../../domain/asset.ts'
import { type ChainConfig, tokensOf } from '../evm-like/chain-config.ts'
import type { Tip } from '../evm-like/tip.ts'
import { toTokenDeposits } from '../evm-like/token-transfers.ts'
import { NetworkError } from '../port.ts'
import { mapLimit } from '../rpc/map-limit.ts'
import type { Deposit } from './payments.ts'
import type { CoinEntry, CoinTransfer, Outcome, TokenEntry } from './responses.ts'
import type { Rest } from './rest-api.ts'

const REQUESTS_AT_ONCE = 2

/** What the node reports about a transaction. An index is only trusted to name transactions. */
interface VerifiedOutcome extends Outcome {
  /** the node reports it among solid blocks */
  isSolid: boolean
}

/** What named transactions paid. */
interface VerifiedDeposits {
  deposits: Deposit[]
  /** the node knows each of the transactions; one that it doesn't know yet may still be a payment */
  isComplete: boolean
}

const byTransaction = <T extends { txId: string }>(entries: T[]): T[][] => [
  ...Map.groupBy(entries, ({ txId }) => txId).values(),
]

/** Null if the transaction failed, or is in a block after the tip; 'unknown' if the node doesn't have it. */
async function readOutcome(
  rest: Rest,
  tip: Tip,
  { txId, at }: { txId: string; at: number },
): Promise<VerifiedOutcome | null | 'unknown'> {
  const mayBeSolid = tip.finalized === null || at <= tip.finalized.at
  const solid = mayBeSolid ? await rest.outcome(txId, 'walletsolidity') : null
  const outcome = solid ?? (await rest.outcome(txId, 'wallet'))
  if (!outcome) return at <= tip.head.at ? 'unknown' : null
  if (!outcome.succeeded || outcome.height > tip.head.height) return null
  return { ...outcome, isSolid: solid !== null }
}

/** The deposits of listed tokens by transactions that an index named. Throws NetworkError. */
export async function verifyTokenEntries(
  rest: Rest,
  config: ChainConfig,
  tip: Tip,
  address: string,
  entries: TokenEntry[],
): Promise<VerifiedDeposits> {
  const tokens = tokensOf(config)
  const outcomes = await mapLimit(byTransaction(entries), REQUESTS_AT_ONCE, ([entry]) =>
    readOutcome(rest, tip, entry!),
  )
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
  return { deposits, isComplete: !outcomes.includes('unknown') }
}

/** What transactions are read with. */
interface Source {
  rest: Rest
  /** the endpoint is on this machine */
  isLocal: boolean
  tip: Tip
}

/** The deposits of the coin by transactions that an index named. Throws NetworkError. */
export async function verifyCoinEntries(
  source: Source,
  coin: Asset,
  address: string,
  entries: CoinEntry[],
): Promise<VerifiedDeposits> {
  let isComplete = true
  const deposits = await mapLimit(byTransaction(entries), REQUESTS_AT_ONCE, async group => {
    const outcome = await readOutcome(source.rest, source.tip, group[0]!)
    if (outcome === 'unknown') isComplete = false
    if (outcome === null || outcome === 'unknown') return []
    const { txId, height, at, isSolid } = outcome
    const copy = group.find(({ transfer }) => transfer !== null)?.transfer
    const transfer = copy ? await verifyTransfer(source, outcome, copy) : null
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
  return { deposits: deposits.flat(), isComplete }
}

/** The index's copy is used only if an endpoint on this machine doesn't serve transactions. */
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
