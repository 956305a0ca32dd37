import type { Key } from '../../domain/api-key.ts'
import type { AuditEntry, AuditedBy } from '../../domain/audit.ts'
import type { Customer } from '../../domain/customer.ts'
import type { Merchant } from '../../domain/merchant.ts'
import type { PageStart } from '../../domain/page.ts'
import type { Wallet } from '../../domain/wallet.ts'

export interface Merchants {
  /** Finds a test shop too, which has the properties of its merchant. */
  find(id: string): Promise<Merchant | null>
  /** Ignores case. */
  findByEmail(email: string): Promise<Merchant | null>
  /** Oldest first, without test shops. */
  list(): Promise<Merchant[]>
  /** The IDs of the test shops that were needed so far. */
  listTestShops(): Promise<string[]>
  /** Inserts the row that the test data of a merchant belongs to, unless there is one. */
  ensureTestShop(merchant: Merchant): Promise<void>
  insert(merchant: Merchant): Promise<void>
  /** Returns the changed merchant. */
  update(id: string, change: Partial<Merchant>): Promise<Merchant | null>
}

export interface Keys {
  find(id: string): Promise<Key | null>
  /** Oldest first. */
  listOf(merchantId: string): Promise<Key[]>
  insert(key: Key): Promise<void>
  /** Returns false if the key is already revoked. */
  revoke(id: string, at: number): Promise<boolean>
  /** Sets the replacement of a key. Returns false if the key is revoked or already replaced. */
  replace(id: string, change: Pick<Key, 'replacedBy' | 'expiresAt'>): Promise<boolean>
  /** Sets when a key was last used. Does nothing if it was used after `unusedSince`. */
  recordUse(id: string, at: number, unusedSince: number): Promise<void>
}

export interface CustomerFilter {
  merchantId: string
  /** start of the email address */
  prefix?: string | undefined
  isBlocked?: boolean | undefined
}

/** Start of a page of customers: after or before an address. */
export interface CustomerTurn {
  email: string
  direction: 'next' | 'previous'
}

export interface Customers {
  find(id: string): Promise<Customer | null>
  /** Sorted by address, ignoring case. */
  list(filter: CustomerFilter, limit: number, turn: CustomerTurn | null): Promise<Customer[]>
  /** Ignores case. */
  findByEmail(merchantId: string, email: string): Promise<Customer | null>
  insert(customer: Customer): Promise<void>
  /** Inserts the customer unless the merchant has one with this address. Returns the stored customer. */
  ensure(customer: Customer): Promise<Customer>
  /** Blocks the customer; null unblocks them. */
  setBlocked(id: string, blockedAt: number | null): Promise<void>
}

export interface Wallets {
  find(merchantId: string): Promise<Wallet | null>
  /** The wallets of all merchants. */
  listAll(): Promise<Wallet[]>
  /** Inserts or replaces the wallet of a merchant. */
  put(wallet: Wallet): Promise<void>
}

/** An API key and its merchant. */
export interface KeyWithMerchant {
  key: Key
  merchant: Merchant | null
}

/** The audit log. The database refuses to change or delete its rows. */
export interface AuditLog {
  insert(entry: AuditEntry): Promise<void>
  /** Newest first. */
  listOfSubject(subject: string, limit: number): Promise<AuditEntry[]>
  /**
   * Newest first, with `others` without those of the server itself. A null merchant selects the entries that
   * belong to none.
   */
  list(
    merchantId: string | null,
    limit: number,
    after?: PageStart | null,
    by?: AuditedBy,
  ): Promise<AuditEntry[]>
}
