import type { InvoiceContent } from '../domain/invoice.ts'
import type { InvoiceDocument } from '../domain/invoice-document.ts'

/** Writes invoices as files. The same content gives the same file. */
export interface InvoiceFiles {
  /** Factur-X and XRechnung: XML in the syntax of UN/CEFACT */
  cii(content: InvoiceContent): string
  /** XRechnung and Peppol: XML in the syntax of UBL */
  ubl(content: InvoiceContent): string
  /** Whether PDFs can be written in a language. */
  writesPdf(language: string): boolean
  /**
   * PDF/A-3 with the e-invoice inside, as Factur-X and ZUGFeRD have it. Null if the font lacks a letter of
   * the document.
   */
  pdf(document: InvoiceDocument, xml: string | null): Promise<Uint8Array | null>
}
