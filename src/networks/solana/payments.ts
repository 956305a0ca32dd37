import type { Asset } from '../../domain/asset.ts'
import type { DetectedPayment, Outflow, Watch } from '../port.ts'
import type { ChainConfig } from './chain-config.ts'
import type { ListedSignature } from './rpc-calls.ts'
import type { BalanceChange, Transaction } from './transactions.ts'

/** The newest slots of the chain, as one node reports them. */
export interface Tip {
  confirmed: number
  finalized: number
}

const isFinalized = ({ slot, isFinalized: reported }: ListedSignature, { finalized }: Tip): boolean =>
  reported !== false && slot <= finalized

/**
 * The confirmations of a transaction, its own slot included. They are at least 1, although an older node may
 * report the tip.
 */
const confirmationsOf = ({ slot }: ListedSignature, { confirmed }: Tip): number =>
  Math.max(1, confirmed - slot + 1)

const isFinal = ({ finality, confirmations }: Asset, listed: ListedSignature, tip: Tip): boolean =>
  finality ? isFinalized(listed, tip) : confirmationsOf(listed, tip) >= confirmations

/** True if a transaction is final for all assets, so that later scans can skip it. */
export const isSettled = ({ assets }: ChainConfig, listed: ListedSignature, tip: Tip): boolean =>
  isFinalized(listed, tip) && assets.every(asset => isFinal(asset, listed, tip))

const COIN = 'sol'

/**
 * Makes the payments of a transaction to an address: the amounts by which its balances rose, whatever the
 * instructions were. A transaction that the address signed is no payment, since its owner swaps tokens or
 * gets rent back. Small amounts of other assets are left out, since advertisers send them to every address.
 */
export function toDetectedPayments(
  config: ChainConfig,
  { address, asset: expected }: Watch,
  listed: ListedSignature,
  { at, changes, signers }: Transaction,
  tip: Tip,
): DetectedPayment[] {
  if (signers.has(address)) return []
  return changes.flatMap(change => {
    const asset = config.assets.find(({ contract }) => contract === change.mint)
    const amount = change.after - change.before
    if (change.owner !== address || !asset || amount <= 0n) return []
    if (asset.id !== expected.id && amount < asset.minimum) return []
    return [
      {
        txId: listed.signature,
        // The address is included, since one transaction can pay two attempts.
        txIndex: `${change.mint ?? COIN}:${address}`,
        assetId: asset.id,
        amountAtomic: amount,
        confirmations: confirmationsOf(listed, tip),
        final: isFinal(asset, listed, tip),
        height: listed.slot,
        txIn: listed.signature,
        paidAt: at ?? config.clock(),
        ...(at === null && { isUndated: true }),
        evidence: evidenceOf(change, listed, tip, at),
      },
    ]
  })
}

const evidenceOf = (change: BalanceChange, listed: ListedSignature, tip: Tip, at: number | null) => ({
  kind: 'balance',
  signature: listed.signature,
  slot: listed.slot,
  blockTime: at === null ? null : at / 1000,
  finalized: listed.isFinalized,
  owner: change.owner,
  mint: change.mint,
  before: change.before.toString(),
  after: change.after.toString(),
  confirmedSlot: tip.confirmed,
  finalizedSlot: tip.finalized,
})

/** Finds SOL that left a seed address, which only its payout wallet can move. */
export function outflowsOf(
  config: ChainConfig,
  { address }: Watch,
  listed: ListedSignature,
  { changes }: Transaction,
  tip: Tip,
): Outflow[] {
  const coin = config.assets.find(({ contract }) => contract === null)
  const isLess = changes.some(
    ({ owner, mint, before, after }) => owner === address && mint === null && after < before,
  )
  if (!coin || !isLess || !isSettled(config, listed, tip)) return []
  return [{ txId: listed.signature, assetId: coin.id, height: listed.slot }]
}
