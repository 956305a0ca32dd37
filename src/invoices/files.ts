import { ciiOf } from './cii.ts'
import type { InvoiceFiles } from './port.ts'
import { ublOf } from './ubl.ts'

/** Written from right to left, which the writer of PDFs does not support. */
const rightToLeft = new Set(['ar', 'he'])
/** Languages whose script the font of Florin lacks. */
const otherScripts = new Set(['hi', 'th', 'ja', 'ko', 'zh-Hans', 'zh-Hant'])

/** `fontFile` is the operator's font, in place of DejaVu Sans; empty for none. */
export const invoiceFilesOf = (fontFile: string): InvoiceFiles => ({
  cii: ciiOf,
  ubl: ublOf,
  writesPdf: language => !rightToLeft.has(language) && (fontFile !== '' || !otherScripts.has(language)),
  async pdf(document, xml) {
    // Loaded with the first PDF: the writer and the font are larger than the rest of a small server.
    const { pdfOf } = await import('./pdf.ts')
    return pdfOf(document, { xml, fontFile })
  },
})
