import type { Asset } from '../../domain/asset.ts'
import type { DetectedPayment, Outflow, Watch } from '../port.ts'
import type { ChainConfig } from './chain-config.ts'
import type { Listed } from './rpc-calls.ts'
import type { Change, Transaction } from './transactions.ts'

/** How far the chain has come, by one node at one time. */
export interface Tip {
  seen: number
  finalized: number
}

const isFinalized = ({ slot, isFinalized: told }: Listed, { finalized }: Tip): boolean =>
  told !== false && slot <= finalized

/** Slots, its own included; what is listed has one at least, though another node may have told the tip. */
const confirmationsOf = ({ slot }: Listed, { seen }: Tip): number => Math.max(1, seen - slot + 1)

const isFinal = ({ finality, confirmations }: Asset, listed: Listed, tip: Tip): boolean =>
  finality ? isFinalized(listed, tip) : confirmationsOf(listed, tip) >= confirmations

/** Whether nothing more is to be told of a transaction: it stays, and is deep enough for every asset. */
export const isTold = ({ assets }: ChainConfig, listed: Listed, tip: Tip): boolean =>
  isFinalized(listed, tip) && assets.every(asset => isFinal(asset, listed, tip))

const COIN = 'sol'

/**
 * What a transaction brought to an address: the difference that it made there, whatever its instructions
 * were. What an address signed itself is its holder's own doing, such as an exchange, or the rent of an
 * account that he closes. Traces of other assets than the awaited one are sent to everybody, to advertise.
 */
export function toDetectedPayments(
  config: ChainConfig,
  { address, asset: awaited }: Watch,
  listed: Listed,
  { at, changes, signers }: Transaction,
  tip: Tip,
): DetectedPayment[] {
  if (signers.has(address)) return []
  return changes.flatMap(change => {
    const asset = config.assets.find(({ contract }) => contract === change.mint)
    const amount = change.after - change.before
    if (change.owner !== address || !asset || amount <= 0n) return []
    if (asset.id !== awaited.id && amount < asset.minimum) return []
    return [
      {
        txId: listed.signature,
        // Two attempts may be paid by one transaction.
        txIndex: `${change.mint ?? COIN}:${address}`,
        assetId: asset.id,
        amount,
        confirmations: confirmationsOf(listed, tip),
        final: isFinal(asset, listed, tip),
        height: listed.slot,
        txIn: listed.signature,
        paidAt: at ?? config.clock(),
        evidence: evidenceOf(change, listed, tip, at),
      },
    ]
  })
}

const evidenceOf = (change: Change, listed: Listed, tip: Tip, at: number | null) => ({
  kind: 'balance',
  signature: listed.signature,
  slot: listed.slot,
  blockTime: at === null ? null : at / 1000,
  finalized: listed.isFinalized,
  owner: change.owner,
  mint: change.mint,
  before: change.before.toString(),
  after: change.after.toString(),
  confirmedSlot: tip.seen,
  finalizedSlot: tip.finalized,
})

/** Coins that were moved from an address made by a seed, which only its payout wallet can do. */
export function outflowsOf(
  config: ChainConfig,
  { address }: Watch,
  listed: Listed,
  { changes }: Transaction,
  tip: Tip,
): Outflow[] {
  const coin = config.assets.find(({ contract }) => contract === null)
  const isLess = changes.some(
    ({ owner, mint, before, after }) => owner === address && mint === null && after < before,
  )
  const isOurs = coin && isLess && isTold(config, listed, tip)
  return isOurs ? [{ txId: listed.signature, assetId: coin.id, height: listed.slot }] : []
}
