import type { InvoiceContent } from '../domain/invoice.ts'

/** Writes invoices as files. The same content gives the same file. */
export interface InvoiceFiles {
  /** Factur-X and XRechnung: XML in the syntax of UN/CEFACT */
  cii(content: InvoiceContent): string
  /** XRechnung and Peppol: XML in the syntax of UBL */
  ubl(content: InvoiceContent): string
}
