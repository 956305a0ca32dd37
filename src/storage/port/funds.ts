import type { Json } from '../../domain/metadata.ts'
import type { PageStart } from '../../domain/page.ts'
import type { IncomingPayment } from '../../domain/payment.ts'
import type { SweepTransaction, WaitingFunds } from '../../domain/waiting-funds.ts'

/** A payment, and the address at which it arrived. */
export interface PaidAddress
  extends Pick<
    IncomingPayment,
    'id' | 'attemptId' | 'merchantId' | 'assetId' | 'state' | 'txOut' | 'updatedAt'
  > {
  /** null if the attempt is at a provider */
  address: string | null
  addressSource: Json
}

/** The balances of an address on one chain when they were last read. */
export interface HeldFunds {
  attemptId: string
  chain: string
  merchantId: string
  /** empty if the address was emptied */
  holdings: readonly { assetId: string; atomic: string }[]
  lookedAt: number
}

/** Money of merchants that is still at forwarders and seed addresses. */
export interface Funds {
  /** Lists payments of all merchants by ID, after the ID `after`. */
  listPayments(after: string, limit: number): Promise<PaidAddress[]>
  listHeld(attemptIds: readonly string[]): Promise<HeldFunds[]>
  /** Inserts or replaces the balances of an address. */
  putHeld(held: HeldFunds): Promise<void>
  find(merchantId: string): Promise<WaitingFunds | null>
  list(): Promise<WaitingFunds[]>
  /** Inserts or replaces the sums of a merchant. */
  put(waiting: WaitingFunds): Promise<void>
  /** Returns those of the addresses that buyers of the merchant were given. Addresses are in lower case. */
  listGiven(merchantId: string, addresses: readonly string[]): Promise<string[]>
}

/** Transactions that moved funds of merchants. */
export interface SweepTransactions {
  /** Returns false if the merchant already has a row with the same transaction ID. */
  insert(transaction: SweepTransaction): Promise<boolean>
  /** Changes a transaction whose status is `sent`. Returns false if it has another status. */
  settle(id: string, change: Partial<SweepTransaction>): Promise<boolean>
  /** Lists the stored transactions with one of these IDs, of all merchants. */
  listKnown(txIds: readonly string[]): Promise<Pick<SweepTransaction, 'merchantId' | 'txId'>[]>
  /**
   * Lists transactions of all merchants that are not in a final block yet. Those that were not read for
   * longest come first.
   */
  listSent(limit: number): Promise<SweepTransaction[]>
  /** Number of transactions of a merchant that are not in a final block yet. */
  countSent(merchantId: string): Promise<number>
  /** Lists the transactions of a merchant, newest first. */
  list(merchantId: string, limit: number, after: PageStart | null): Promise<SweepTransaction[]>
}
