import type { Invoice } from '../../domain/invoice.ts'

/** Place of an invoice in the series of its shop. */
export type InvoicePlace = Pick<Invoice, 'year' | 'ordinal'>

/** Invoices and credit notes. They are never changed or deleted. */
export interface Invoices {
  /**
   * Takes the next number of a shop's year. If the write fails, the number is free again, so that there are
   * no gaps.
   */
  nextOrdinal(merchantId: string, year: number): Promise<number>
  insert(invoice: Invoice): Promise<void>
  find(merchantId: string, place: InvoicePlace): Promise<Invoice | null>
  /** Lists the invoices of an order, oldest first. */
  listOf(orderId: string): Promise<Invoice[]>
  /** Lists invoices of a shop whose number is below `before`, highest number first. */
  list(merchantId: string, limit: number, before: InvoicePlace | null): Promise<Invoice[]>
}
