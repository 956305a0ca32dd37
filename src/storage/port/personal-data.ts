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
