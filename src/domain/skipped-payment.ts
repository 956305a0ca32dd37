import type { WalletNetwork } from './asset.ts'

/**
 * Money at an address that a restore skipped: a buyer was given the address after the backup, and the order
 * is lost. An endpoint reports what an address received or holds, not the transactions.
 */
export interface SkippedPayment {
  id: string
  merchantId: string
  network: WalletNetwork
  /** the derivation index of the address */
  position: number
  address: string
  assetId: string
  decimals: number
  /** the most that was reported; money that is moved out does not lower it */
  amountAtomic: bigint
  status: 'open' | 'resolved'
  note: string | null
  decidedBy: string | null
  createdAt: number
  updatedAt: number
}

/** How long skipped addresses are looked at after a restore. */
export const SKIPPED_WATCH_MS = 30 * 24 * 3600_000
