import type { Invoice } from '../../domain/invoice.ts'

/** Place of an invoice in the series of its shop. */
export type InvoicePlace = Pick<Invoice, 'year' | 'ordinal'>

/** Invoices and credit notes. They are never changed or deleted. */
export interface Invoices {
  /** The next number of a shop's year. It is used up by the write alone, so that numbers have no gaps. */
  nextOrdinal(merchantId: string, year: number): Promise<number>
  insert(invoice: Invoice): Promise<void>
  find(merchantId: string, place: InvoicePlace): Promise<Invoice | null>
  /** Oldest first. */
  listOf(orderId: string): Promise<Invoice[]>
  /** Highest number first, below `before`. */
  list(merchantId: string, limit: number, before: InvoicePlace | null): Promise<Invoice[]>
}
