import type { Key } from '../../domain/api-key.ts'
import type { AuditEntry, AuditedBy } from '../../domain/audit.ts'
import type { Customer } from '../../domain/customer.ts'
import type { Merchant } from '../../domain/merchant.ts'
import type { PageStart } from '../../domain/page.ts'
import type { Wallet } from '../../domain/wallet.ts'

export interface Merchants {
  /** Finds a merchant. The ID may be that of a test shop, which has the properties of its merchant. */
  find(id: string): Promise<Merchant | null>
  /** Finds a merchant by email address, ignoring case. */
  findByEmail(email: string): Promise<Merchant | null>
  /** Lists the merchants without test shops, oldest first. */
  list(): Promise<Merchant[]>
  /** Lists the IDs of the test shops that were needed so far. */
  listTestShops(): Promise<string[]>
  /** Inserts the row of a merchant's test shop, to which the test data belongs, unless it exists. */
  ensureTestShop(merchant: Merchant): Promise<void>
  insert(merchant: Merchant): Promise<void>
  /** Changes a merchant, and returns it. */
  update(id: string, change: Partial<Merchant>): Promise<Merchant | null>
}

export interface Keys {
  find(id: string): Promise<Key | null>
  /** Lists the keys of a merchant, oldest first. */
  listOf(merchantId: string): Promise<Key[]>
  insert(key: Key): Promise<void>
  /** Finds a key by the hash of its secret. It reads all keys. */
  findBySecret(secretHash: string): Promise<Key | null>
  /** Replaces the secret and the expiry of a key. Returns false if the key has another secret already. */
  pair(key: Pick<Key, 'id' | 'secretHash'>, change: Pick<Key, 'secretHash' | 'expiresAt'>): Promise<boolean>
  /** Returns false if the key is already revoked. */
  revoke(id: string, at: number): Promise<boolean>
  /** Sets the replacement of a key. Returns false if the key is revoked or already replaced. */
  replace(id: string, change: Pick<Key, 'replacedBy' | 'expiresAt'>): Promise<boolean>
  /** Sets when a key was last used. Does nothing if it was used after `unusedSince`. */
  recordUse(id: string, at: number, unusedSince: number): Promise<void>
}

export interface CustomerFilter {
  merchantId: string
  /** beginning of the email address */
  prefix?: string | undefined
  isBlocked?: boolean | undefined
}

/** The start of a page of customers: after or before an email address. */
export interface CustomerTurn {
  email: string
  direction: 'next' | 'previous'
}

export interface Customers {
  find(id: string): Promise<Customer | null>
  /** Lists customers by email address, ignoring case. */
  list(filter: CustomerFilter, limit: number, turn: CustomerTurn | null): Promise<Customer[]>
  /** Finds a customer by email address, ignoring case. */
  findByEmail(merchantId: string, email: string): Promise<Customer | null>
  insert(customer: Customer): Promise<void>
  /**
   * Inserts the customer unless the merchant has one with the same email address. Returns the stored
   * customer.
   */
  ensure(customer: Customer): Promise<Customer>
  /** Blocks a customer; unblocks them if `blockedAt` is null. */
  setBlocked(id: string, blockedAt: number | null): Promise<void>
}

export interface Wallets {
  find(merchantId: string): Promise<Wallet | null>
  /** Lists the wallets of all merchants. */
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
  /** Lists the entries about a subject, newest first. */
  listOfSubject(subject: string, limit: number): Promise<AuditEntry[]>
  /**
   * Lists the entries of a merchant, newest first. If `by` is `others`, leaves out those of the server
   * itself. If the merchant is null, lists the entries that belong to no merchant.
   */
  list(
    merchantId: string | null,
    limit: number,
    after?: PageStart | null,
    by?: AuditedBy,
  ): Promise<AuditEntry[]>
}
