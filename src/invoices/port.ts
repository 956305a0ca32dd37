import type { InvoiceContent } from '../domain/invoice.ts'
import type { InvoiceDocument } from '../domain/invoice-document.ts'

/** Writes invoices as files. The same content gives the same file. */
export interface InvoiceFiles {
  /** Writes XML in the syntax of UN/CEFACT, for Factur-X and XRechnung. */
  cii(content: InvoiceContent): string
  /** Writes XML in the syntax of UBL, for XRechnung and Peppol. */
  ubl(content: InvoiceContent): string
  /** Returns true if PDFs can be written in a language. */
  writesPdf(language: string): boolean
  /**
   * Writes PDF/A-3 with the e-invoice inside, as Factur-X and ZUGFeRD require. Returns null if the font lacks
   * a letter of the document.
   */
  pdf(document: InvoiceDocument, xml: string | null): Promise<Uint8Array | null>
}
