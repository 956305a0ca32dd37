import type { AddressSource, SourceAddress } from '../../domain/address-source.ts'
import type { WalletNetwork } from '../../domain/asset.ts'
import type { PayoutCheck } from '../../domain/payout-check.ts'
import type { UnmatchedDecision } from '../../domain/settlement.ts'
import type { SkippedPayment } from '../../domain/skipped-payment.ts'

/** How many addresses a source has. */
interface AddressCount {
  all: number
  /** not allocated to an attempt */
  free: number
  /** the highest position, or null if there are no addresses */
  last: number | null
}

/** What the chains said about payout wallets. */
export interface PayoutChecks {
  /** One for each chain that was asked about the address, by the chain's name. */
  listOf(address: string): Promise<PayoutCheck[]>
  /** Replaces what the chain said before. */
  put(check: PayoutCheck): Promise<void>
}

/** What arrived at addresses that a restore skipped: at most one for each address and asset. */
export interface SkippedPayments {
  find(id: string): Promise<SkippedPayment | null>
  findAt(address: string, assetId: string): Promise<SkippedPayment | null>
  /** Those of a merchant, newest first. */
  list(merchantId: string, limit: number): Promise<SkippedPayment[]>
  /** How many of a merchant are open, counted up to a limit. */
  countOpen(merchantId: string, limit: number): Promise<number>
  insert(payment: SkippedPayment): Promise<void>
  /** More has arrived, so it is open again. */
  raise(id: string, amountAtomic: bigint, at: number): Promise<void>
  /** Returns false if the merchant has no such payment that is open. */
  resolve(merchantId: string, id: string, decision: UnmatchedDecision): Promise<boolean>
}

export interface AddressSources {
  /** The sources of a merchant, oldest first. */
  listOf(merchantId: string): Promise<AddressSource[]>
  /** The sources of all merchants in which a restore skipped addresses after `since`, in that order. */
  listSkipped(since: number): Promise<AddressSource[]>
  /** The sources of all merchants on a network that addresses are derived from. */
  listWithKey(network: WalletNetwork): Promise<AddressSource[]>
  insert(source: AddressSource): Promise<void>
  update(id: string, change: Partial<AddressSource>): Promise<void>
  /** The first free address of a source that is not in `excluded`. */
  findFree(sourceId: string, excluded?: string[]): Promise<SourceAddress | null>
  countAddresses(sourceId: string): Promise<AddressCount>
  /** How many addresses of a source belong to attempts that received something. */
  countPaid(sourceId: string): Promise<number>
  /** The first free addresses of a source, in order. */
  listFree(sourceId: string, limit: number): Promise<string[]>
  /** Deletes a free address of a source, or all of them (null). Returns how many were deleted. */
  removeFree(sourceId: string, address: string | null): Promise<number>
  /** The attempts that got an address of the source, received nothing, and were watched until before `at`. */
  listUnpaid(sourceId: string, at: number): Promise<string[]>
  /** The attempts that got an address of the source before `at`, and were deleted since with their order. */
  listDeleted(sourceId: string, at: number): Promise<string[]>
  /** Makes the address of an attempt free again. Returns false if the attempt has none. */
  reclaim(attemptId: string): Promise<boolean>
  /** The highest position whose attempt received something; null if there is none. */
  lastPaid(sourceId: string): Promise<number | null>
  /** How many addresses after a position are allocated. */
  countGiven(sourceId: string, after: number): Promise<number>
  /** The positions of all addresses of a source, in order. */
  listPositions(sourceId: string): Promise<number[]>
  findAddress(network: WalletNetwork, address: string): Promise<SourceAddress | null>
  insertAddress(address: SourceAddress): Promise<void>
  /** Allocates a free address to an attempt. Returns false if it is not free. */
  allocate(network: WalletNetwork, address: string, attemptId: string, at: number): Promise<boolean>
  /** Makes the address of an attempt free again if the attempt was never stored. */
  release(attemptId: string): Promise<void>
}
