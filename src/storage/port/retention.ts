import type { Order } from '../../domain/order.ts'
import type { PageStart } from '../../domain/page.ts'
import type { RetentionProgress } from '../../domain/retention.ts'

type DeletedOrder = Pick<Order, 'merchantId' | 'currency' | 'createdAt'>

/** Deletes rows that nobody needs any more. Each method touches at most `limit` rows of what it deletes. */
export interface RetentionTable {
  /** Null before the first run. */
  progress(): Promise<RetentionProgress | null>
  noteProgress(progress: RetentionProgress): Promise<void>
  /** Deletes idempotency keys of an operation that were used before `before`. Returns how many. */
  forgetIdempotencyKeys(operation: string, before: number, limit: number): Promise<number>
  /** Deletes the tries of events that were delivered before `before`. Returns how many events. */
  forgetTries(before: number, limit: number): Promise<number>
  /** Expired orders of the public form that expired before `before`, oldest first. */
  listExpiredWebOrders(before: number, limit: number, after: PageStart | null): Promise<PageStart[]>
  /**
   * Deletes expired orders of the public form with all their rows, and customers that have no other order.
   * An order stays if anything was ever paid, if an event is not delivered, or if an attempt is with a
   * provider, watched after `before` or still to be checked. Returns the orders that were deleted.
   */
  deleteAbandoned(orderIds: string[], before: number): Promise<DeletedOrder[]>
}

/** The tables whose texts may have a buyer's address. */
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
  'notifications',
  'events',
  'deliveries',
  'auditLog',
] as const
export type TableOfBuyers = (typeof tablesOfBuyers)[number]

/** Finds and replaces the data of a buyer. Sums, hashes and IDs stay. */
export interface PersonalData {
  /** The lowest number above those of the customers of a merchant who were erased. */
  nextNumber(merchantId: string): Promise<number>
  /**
   * Replaces the email address and the name in up to `limit` orders of a customer, and removes the refund
   * addresses that were left there and the mails to the buyer. Returns how many.
   */
  eraseOrders(customerId: string, email: string, limit: number): Promise<number>
  /** Replaces the address of a customer, and ends a block. */
  eraseCustomer(customerId: string, email: string): Promise<void>
  /**
   * The IDs of a merchant's rows in a table whose texts have one of these spellings, in lower case. Sorted by
   * ID, from the one after `after`.
   */
  listMentions(
    table: TableOfBuyers,
    merchantId: string,
    spellings: string[],
    limit: number,
    after: string,
  ): Promise<string[]>
  /** Rewrites the texts of a row. Returns false if none changes. */
  rewrite(table: TableOfBuyers, id: string, erase: (text: string) => string): Promise<boolean>
}
