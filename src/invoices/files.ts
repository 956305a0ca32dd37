import type { InvoiceFiles } from './port.ts'

type Cii = typeof import('./cii.ts').ciiOf
type Ubl = typeof import('./ubl.ts').ublOf

/** Languages whose script is missing in Florin's font. */
const otherScripts = new Set(['hi', 'th', 'ja', 'ko', 'zh-Hans', 'zh-Hant'])

/**
 * Makes the writers of invoice files. `fontFile` is a font of the operator that replaces DejaVu Sans; empty
 * for none.
 */
export const invoiceFilesOf = (fontFile: string): InvoiceFiles => ({
  // Each writer is loaded when it is first needed: most shops issue no invoices.
  cii: content => (require('./cii.ts').ciiOf as Cii)(content),
  ubl: content => (require('./ubl.ts').ublOf as Ubl)(content),
  writesPdf: language => fontFile !== '' || !otherScripts.has(language),
  async pdf(document, xml) {
    // The module is loaded with the first PDF, because the writer and the font are larger than the rest of a
    // small server.
    const { pdfOf } = await import('./pdf.ts')
    return pdfOf(document, { xml, fontFile })
  },
})
