import type { Asset } from '../../domain/asset.ts'
import type { ChainConfig } from '../evm/chain-config.ts'
import { tokensOf } from '../evm/chain-config.ts'
import { paymentOf } from '../evm/token-transfers.ts'
import { NetworkError } from '../port.ts'
import { mapLimit } from '../rpc/map-limit.ts'
import type { Arrival } from './payments.ts'
import type { CoinEntry, CoinTransfer, Outcome, TokenEntry } from './responses.ts'
import type { Rest } from './rest-api.ts'
import type { ChainTip } from './tip.ts'

const REQUESTS_AT_ONCE = 2

/** An index is only believed to name transactions: what they did is asked of the node, one by one. */
interface Proven extends Outcome {
  /** told by what cannot be replaced any more */
  isSolid: boolean
}

const byTransaction = <T extends { txId: string }>(entries: T[]): T[][] => [
  ...Map.groupBy(entries, ({ txId }) => txId).values(),
]

/** Null for a transaction that the node does not know, or that is above the tip of this look, or failed. */
async function prove(
  rest: Rest,
  { tip }: ChainTip,
  { txId, at }: { txId: string; at: number },
): Promise<Proven | null> {
  const mayBeSolid = tip.finalized === null || at <= tip.finalized.at
  const solid = mayBeSolid ? await rest.outcome(txId, 'walletsolidity') : null
  const outcome = solid ?? (await rest.outcome(txId, 'wallet'))
  if (!outcome?.succeeded || outcome.height > tip.head.height) return null
  return { ...outcome, isSolid: solid !== null }
}

/** The tokens of the table that transactions of an index brought to an account. Throws NetworkFault. */
export async function proveTokens(
  rest: Rest,
  config: ChainConfig,
  stand: ChainTip,
  account: string,
  entries: TokenEntry[],
): Promise<Arrival[]> {
  const tokens = tokensOf(config)
  const proven = await mapLimit(byTransaction(entries), REQUESTS_AT_ONCE, ([entry]) =>
    prove(rest, stand, entry!),
  )
  return proven.flatMap(outcome => {
    if (!outcome) return []
    const { txId, height, at, isSolid, logs } = outcome
    const own = logs.filter(({ topics }) => topics[2] && `0x${topics[2].slice(-40)}` === account)
    return own
      .flatMap(log => paymentOf(log, tokens))
      .map(({ asset, amount, log: { contract, topics, bytes } }): Arrival => {
        const evidence = { kind: 'log', address: contract, topics, data: bytes }
        return { asset, amount, txId, to: account, height, at, isSolid, evidence }
      })
  })
}

/** What transactions of an index brought to an account of the coin. Throws NetworkFault. */
export async function proveCoins(
  rest: Rest,
  isLocal: boolean,
  coin: Asset,
  stand: ChainTip,
  account: string,
  entries: CoinEntry[],
): Promise<Arrival[]> {
  const arrivals = await mapLimit(byTransaction(entries), REQUESTS_AT_ONCE, async lines => {
    const outcome = await prove(rest, stand, lines[0]!)
    if (!outcome) return []
    const { txId, height, at, isSolid } = outcome
    const copy = lines.find(({ transfer }) => transfer !== null)?.transfer
    const transfer = copy ? await proveTransfer(rest, isLocal, outcome, copy) : null
    const kinds = [
      ...(transfer ? [{ ...transfer, kind: 'transfer' }] : []),
      ...outcome.internals.map(internal => ({ ...internal, kind: 'internal' })),
    ]
    return kinds
      .filter(({ from, to, amount }) => to === account && from !== to && amount > 0n)
      .map(({ from, to, amount, kind }): Arrival => {
        const evidence = { kind, from, to, value: amount.toString() }
        return { asset: coin, amount, txId, to, height, at, isSolid, evidence }
      })
  })
  return arrivals.flat()
}

/** Only an endpoint on this machine may leave it at the copy of its index. */
async function proveTransfer(
  rest: Rest,
  isLocal: boolean,
  { txId, isSolid }: Proven,
  copy: CoinTransfer,
): Promise<CoinTransfer | null> {
  const transfer = await rest.transfer(txId, isSolid ? 'walletsolidity' : 'wallet')
  if (transfer !== undefined) return transfer
  if (isLocal) return copy
  throw new NetworkError('serves no /wallet/gettransactionbyid')
}
