import { Refusal } from '../../domain/errors.ts'
import { LruCache } from '../../domain/lru-cache.ts'
import type { Context } from '../context.ts'
import type { InvoiceView } from '../letters.ts'

type PdfContext = Pick<Context, 'letters' | 'invoiceFiles'>

/** True if an invoice can be written as a PDF in its language. */
export const hasPdf = ({ invoiceFiles }: PdfContext, { invoice }: Pick<InvoiceView, 'invoice'>): boolean =>
  invoiceFiles.writesPdf(invoice.content.language)

/**
 * The last PDFs, of about 25 KB each. They are kept because writing a PDF takes some hundred milliseconds of
 * processor time, and anyone with the link to an order can request it again and again.
 */
const written = new LruCache<Promise<Uint8Array | null>>(20)

/** An invoice as a PDF in its own language, with the e-invoice inside. */
export async function writePdf(context: PdfContext, view: InvoiceView): Promise<Uint8Array> {
  const { letters, invoiceFiles } = context
  const { id, content, xml } = view.invoice
  const write = () => invoiceFiles.pdf(letters.invoiceDocument(view, content.language), xml)
  const pdf = hasPdf(context, view) ? await written.get(id, write) : null
  if (pdf) return pdf
  const message =
    'No PDF can be written: the font lacks letters of this invoice. Use the page or the e-invoice; the ' +
    'operator can name another font with FLORIN_FONT_FILE.'
  throw new Refusal('not_found', message, { reason: { kind: 'order_unknown' } })
}
