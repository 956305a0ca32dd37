import type { WalletNetwork } from './asset.ts'

/** Sources that a merchant sets up; of any other kind, the payout wallet alone is enough. */
export const setUpKinds = ['xpub', 'viewkey', 'pool'] as const
export type SetUpKind = (typeof setUpKinds)[number]

/**
 * Where a buyer's payment target comes from: an account's extended public key, a Monero view key, a pool of
 * addresses, a forwarder to the payout wallet, a seed of the payout wallet, the payout wallet itself with a
 * distinct amount for each attempt, the network when it issues targets such as invoices, or the sandbox.
 */
export type SourceKind = SetUpKind | 'create2' | 'seed' | 'shared' | 'issued' | 'sandbox'

/** What each public key of an account is paid by. */
export const scripts = ['p2pkh', 'p2sh-p2wpkh', 'p2wpkh'] as const
export type Script = (typeof scripts)[number]

/** One source that a merchant set up. It is never deleted, since addresses of it may still be paid. */
export interface AddressSource {
  id: string
  merchantId: string
  network: WalletNetwork
  kind: SetUpKind
  /** the extended public key, or the private view key; null for a pool */
  key: string | null
  /** how the keys of the account are paid; null where its network knows only one way */
  script: Script | null
  /** the standard address that a view key belongs to; null for the other kinds */
  payoutAddress: string | null
  /** the derivation index that was given out by nobody yet */
  nextIndex: number
  active: boolean
  createdAt: number
  updatedAt: number
}

/** One address of a source. It goes to one attempt, and to no other ever. */
export interface SourceAddress {
  network: WalletNetwork
  address: string
  sourceId: string
  merchantId: string
  /** derivation index, or place in the pool */
  position: number
  attemptId: string | null
  /** when it was taken for the attempt */
  allocatedAt: number | null
}
