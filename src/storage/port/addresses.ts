import type { AddressSource, SourceAddress } from '../../domain/address-source.ts'
import type { WalletNetwork } from '../../domain/asset.ts'
import type { PayoutCheck } from '../../domain/payout-check.ts'
import type { UnmatchedDecision } from '../../domain/settlement.ts'
import type { SkippedPayment } from '../../domain/skipped-payment.ts'

/** Numbers of addresses of a source. */
interface AddressCount {
  all: number
  /** number of addresses that are not allocated to an attempt */
  free: number
  /** highest position; null if there are no addresses */
  last: number | null
}

/** Results of checks of payout wallets, by chain. */
export interface PayoutChecks {
  /** Lists the newest result of each chain for a payout wallet. */
  listOf(address: string): Promise<PayoutCheck[]>
  /** Stores a result, and replaces the chain's earlier one. */
  put(check: PayoutCheck): Promise<void>
}

/** Money that arrived at addresses that a restore skipped: at most one row per address and asset. */
export interface SkippedPayments {
  find(id: string): Promise<SkippedPayment | null>
  findAt(address: string, assetId: string): Promise<SkippedPayment | null>
  /** Lists payments of a merchant, newest first. */
  list(merchantId: string, limit: number): Promise<SkippedPayment[]>
  /** Number of open payments of a merchant, up to a limit. */
  countOpen(merchantId: string, limit: number): Promise<number>
  insert(payment: SkippedPayment): Promise<void>
  /** Records that more money arrived, which opens the payment again. */
  raise(id: string, amountAtomic: bigint, at: number): Promise<void>
  /** Returns false if the merchant has no such open payment. */
  resolve(merchantId: string, id: string, decision: UnmatchedDecision): Promise<boolean>
}

export interface AddressSources {
  /** Lists the address sources of a merchant, oldest first. */
  listOf(merchantId: string): Promise<AddressSource[]>
  /**
   * Lists the sources of all merchants in which a restore skipped addresses after `since`, ordered by that
   * time.
   */
  listSkipped(since: number): Promise<AddressSource[]>
  /** Lists the sources of all merchants on a network whose addresses are derived from a key. */
  listWithKey(network: WalletNetwork): Promise<AddressSource[]>
  insert(source: AddressSource): Promise<void>
  update(id: string, change: Partial<AddressSource>): Promise<void>
  /** Finds the first free address of a source that is not in `excluded`. */
  findFree(sourceId: string, excluded?: string[]): Promise<SourceAddress | null>
  countAddresses(sourceId: string): Promise<AddressCount>
  /** Number of addresses of a source whose attempts received something. */
  countPaid(sourceId: string): Promise<number>
  /** Lists the first free addresses of a source, in order. */
  listFree(sourceId: string, limit: number): Promise<string[]>
  /**
   * Deletes a free address of a source, or all free ones if `address` is null. Returns the number of deleted
   * addresses.
   */
  removeFree(sourceId: string, address: string | null): Promise<number>
  /**
   * Lists attempts that have an address of the source, received nothing, and whose watch ended before `at`.
   */
  listUnpaid(sourceId: string, at: number): Promise<string[]>
  /** Lists attempts that got an address of the source before `at` and were since deleted with their order. */
  listDeleted(sourceId: string, at: number): Promise<string[]>
  /** Frees the address of an attempt. Returns false if the attempt has no address. */
  reclaim(attemptId: string): Promise<boolean>
  /** The highest position of an address whose attempt received something; null if there is none. */
  lastPaid(sourceId: string): Promise<number | null>
  /** Number of allocated addresses of a source after a position. */
  countGiven(sourceId: string, after: number): Promise<number>
  /** Lists the positions of all addresses of a source, in order. */
  listPositions(sourceId: string): Promise<number[]>
  findAddress(network: WalletNetwork, address: string): Promise<SourceAddress | null>
  insertAddress(address: SourceAddress): Promise<void>
  /** Allocates a free address to an attempt. Returns false if it is not free. */
  allocate(network: WalletNetwork, address: string, attemptId: string, at: number): Promise<boolean>
  /** Frees the address of an attempt that was never stored. */
  release(attemptId: string): Promise<void>
}
