import type { Json } from '../../domain/metadata.ts'
import type { PageStart } from '../../domain/page.ts'
import type { IncomingPayment } from '../../domain/payment.ts'
import type { SweepTransaction, WaitingFunds } from '../../domain/waiting-funds.ts'

/** A payment with the address that it arrived at. */
export interface PaidAddress
  extends Pick<
    IncomingPayment,
    'id' | 'attemptId' | 'merchantId' | 'assetId' | 'state' | 'txOut' | 'updatedAt'
  > {
  /** null for an attempt at a provider */
  address: string | null
  addressSource: Json
}

/** What an address held on one chain when it was last asked. */
export interface HeldFunds {
  attemptId: string
  chain: string
  merchantId: string
  /** empty for an emptied address */
  holdings: readonly { assetId: string; atomic: string }[]
  lookedAt: number
}

/** The money that waits on forwarders and seed addresses. */
export interface Funds {
  /** Payments of all merchants by ID, after one of them. */
  listPayments(after: string, limit: number): Promise<PaidAddress[]>
  listHeld(attemptIds: readonly string[]): Promise<HeldFunds[]>
  /** Inserts or replaces what an address holds. */
  putHeld(held: HeldFunds): Promise<void>
  find(merchantId: string): Promise<WaitingFunds | null>
  list(): Promise<WaitingFunds[]>
  /** Inserts or replaces the sums of a merchant. */
  put(waiting: WaitingFunds): Promise<void>
  /** Those of the addresses, in lower case, that buyers of the merchant were given. */
  listGiven(merchantId: string, addresses: readonly string[]): Promise<string[]>
}

/** Transactions that moved funds of merchants. */
export interface SweepTransactions {
  /** Returns false if the merchant has a row with the same ID of a transaction. */
  insert(transaction: SweepTransaction): Promise<boolean>
  /** Changes a transaction that is `sent`; false if it is not. */
  settle(id: string, change: Partial<SweepTransaction>): Promise<boolean>
  /** Those of these IDs that merchants have rows of. */
  listKnown(txIds: readonly string[]): Promise<Pick<SweepTransaction, 'merchantId' | 'txId'>[]>
  /** Transactions of all merchants that are not in a final block yet, longest unread first. */
  listSent(limit: number): Promise<SweepTransaction[]>
  /** Number of transactions of a merchant that are not in a final block yet. */
  countSent(merchantId: string): Promise<number>
  /** Newest first. */
  list(merchantId: string, limit: number, after: PageStart | null): Promise<SweepTransaction[]>
}
