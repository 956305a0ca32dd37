import type { WalletNetwork } from './asset.ts'

/** Kinds of sources that a merchant sets up. The other kinds need only a payout wallet. */
export const setUpKinds = ['xpub', 'viewkey', 'pool'] as const
export type SetUpKind = (typeof setUpKinds)[number]

/**
 * Origin of a buyer's payment target: an account's extended public key, a Monero view key, a pool of
 * addresses, a forwarder to the payout wallet, a seed of the payout wallet, the payout wallet itself with a
 * distinct amount for each attempt, the network if it issues targets such as invoices, or the sandbox.
 */
export type SourceKind = SetUpKind | 'create2' | 'seed' | 'shared' | 'issued' | 'sandbox'

export const scripts = ['p2pkh', 'p2sh-p2wpkh', 'p2wpkh', 'p2tr'] as const
export type Script = (typeof scripts)[number]

/** Subaddress 0 of a Monero wallet is its primary address, which is never given to a buyer. */
export const FIRST_SUBADDRESS = 1

/** A source that a merchant set up. It is never deleted, because buyers may still pay to its addresses. */
export interface AddressSource {
  id: string
  merchantId: string
  network: WalletNetwork
  kind: SetUpKind
  /** the extended public key, or the private view key; null for a pool */
  key: string | null
  /** the script type of the account; null if its network has only one */
  script: Script | null
  /** the standard address that the view key belongs to; null for other kinds */
  payoutAddress: string | null
  /** the first derivation index that has not been used */
  nextIndex: number
  active: boolean
  createdAt: number
  updatedAt: number
  /**
   * when a restore last skipped indices that may have been used since the backup; null if none were skipped
   */
  skippedAt: number | null
}

/** An address of a source. It is allocated to at most one attempt. */
export interface SourceAddress {
  network: WalletNetwork
  address: string
  sourceId: string
  merchantId: string
  /** the derivation index, or the place in the pool */
  position: number
  attemptId: string | null
  allocatedAt: number | null
}
