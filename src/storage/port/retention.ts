import type { Order } from '../../domain/order.ts'
import type { PageStart } from '../../domain/page.ts'
import type { RetentionProgress } from '../../domain/retention.ts'

type DeletedOrder = Pick<Order, 'merchantId' | 'currency' | 'createdAt'>

/** Deletes rows that are no longer needed. Each call deletes at most `limit` rows of its kind. */
export interface RetentionTable {
  /** Returns the progress of deletions; null before the first run. */
  progress(): Promise<RetentionProgress | null>
  noteProgress(progress: RetentionProgress): Promise<void>
  /** Deletes idempotency keys of an operation that were used before `before`. Returns their number. */
  forgetIdempotencyKeys(operation: string, before: number, limit: number): Promise<number>
  /** Deletes the tries of events that were delivered before `before`. Returns the number of events. */
  forgetTries(before: number, limit: number): Promise<number>
  /**
   * Deletes orders of a test shop that were created before a time, with everything that belongs to them.
   * Returns their number.
   */
  deleteTestOrders(testShopId: string, before: number, limit: number): Promise<number>
  /** Lists public form orders that expired before `before`, oldest first. */
  listExpiredWebOrders(before: number, limit: number, after: PageStart | null): Promise<PageStart[]>
  /**
   * Deletes expired public form orders with all their rows, and customers without other orders. Skips an
   * order if anything was ever paid, if an event is undelivered, or if an attempt is with a provider, is
   * watched after `before` or still has to be checked. Returns the deleted orders.
   */
  deleteAbandoned(orderIds: string[], before: number): Promise<DeletedOrder[]>
}

/** Tables whose texts may contain a buyer's address. */
export const tablesOfBuyers = [
  'orders',
  'orderNotes',
  'savedViews',
  'attempts',
  'incomingPayments',
  'settlements',
  'unmatchedPayments',
  'transactions',
  'refunds',
  'reversals',
  'notifications',
  'events',
  'deliveries',
  'furtherDeliveries',
  'auditLog',
] as const
export type TableOfBuyers = (typeof tablesOfBuyers)[number]

/** Finds and replaces a buyer's data. Sums, hashes and IDs are not changed. */
export interface PersonalData {
  /** Returns the number for a merchant's next erased customer. */
  nextNumber(merchantId: string): Promise<number>
  /**
   * In up to `limit` orders of a customer, replaces the email address and the name, and removes refund
   * addresses and mails to the buyer. Returns the number of orders.
   */
  eraseOrders(customerId: string, email: string, limit: number): Promise<number>
  /** Replaces the address of a customer and unblocks them. */
  eraseCustomer(customerId: string, email: string): Promise<void>
  /**
   * Lists the IDs of a merchant's rows in a table whose texts contain one of these spellings, given in lower
   * case. Sorted by ID, starting after the ID `after`.
   */
  listMentions(
    table: TableOfBuyers,
    merchantId: string,
    spellings: string[],
    limit: number,
    after: string,
  ): Promise<string[]>
  /** Rewrites the texts of a row. Returns false if nothing changes. */
  rewrite(table: TableOfBuyers, id: string, erase: (text: string) => string): Promise<boolean>
}
