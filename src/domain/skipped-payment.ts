import type { WalletNetwork } from './asset.ts'

/**
 * Money at an address that a restore skipped. A buyer got the address after the backup, so its order is lost.
 * Endpoints report what the address received or holds, not its transactions.
 */
export interface SkippedPayment {
  id: string
  merchantId: string
  network: WalletNetwork
  /** derivation index of the address */
  position: number
  address: string
  assetId: string
  decimals: number
  /** the largest amount that was reported: it does not fall when the money is moved out */
  amountAtomic: bigint
  status: 'open' | 'resolved'
  note: string | null
  decidedBy: string | null
  createdAt: number
  updatedAt: number
}

/** Skipped addresses are watched for this long after a restore. */
export const SKIPPED_WATCH_MS = 30 * 24 * 3600_000
