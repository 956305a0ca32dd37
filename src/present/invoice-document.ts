import type { InvoiceModel, PartyModel } from '../../views/invoice/model.ts'
import { nameOf } from '../../views/invoice/page.ts'
import type { Locale } from '../../views/locale.ts'
import type { DocumentRow, InvoiceDocument } from '../domain/invoice-document.ts'
import type { InvoiceView } from '../operations/letters.ts'
import { invoiceUrl, presentInvoice } from './invoice.ts'

function linesOf({ texts: { invoice } }: Locale, party: PartyModel): string[] {
  const { name, address, contacts, vatId, taxNumber } = party
  const numbers = [vatId && `${invoice.vatId}: ${vatId}`, taxNumber && `${invoice.taxNumber}: ${taxNumber}`]
  return [name, ...address, ...contacts, ...numbers.filter(line => line !== null)]
}

function paymentRows({ texts: { receipt } }: Locale, { payments }: InvoiceModel): DocumentRow[] {
  return payments.flatMap(({ method, received, rate, transactionId, date }) => {
    const rows: [string, string | null][] = [
      [receipt.paidWith, method],
      [receipt.received, received],
      [receipt.rate, rate],
      [receipt.paidOn, date],
      [receipt.transaction, transactionId],
    ]
    return rows.flatMap(([label, value]) => (value === null ? [] : [[label, value] as const]))
  })
}

/** The texts of an invoice, from which a PDF is made. */
export function presentInvoiceDocument(
  locale: Locale,
  view: InvoiceView,
  checkoutUrl: string,
): InvoiceDocument {
  const model = presentInvoice(locale, view)
  const { invoice, receipt } = locale.texts
  const { corrects, isCreditNote, isDue, item, reasons } = model
  return {
    title: nameOf(locale, model),
    language: locale.tag,
    seller: linesOf(locale, model.seller),
    facts: [
      [invoice.issued, model.issued],
      [invoice.supplied, model.supplied],
      [receipt.order, model.order],
    ],
    buyerLabel: invoice.buyer,
    buyer: linesOf(locale, model.buyer),
    columns: [receipt.item, invoice.net],
    lines: model.lines.map(({ net }) => [item, net]),
    sums: [
      [invoice.net, model.net],
      ...model.lines.map(({ rate, tax }): DocumentRow => [invoice.tax({ rate }), tax]),
      [receipt.total, model.gross],
      ...(isCreditNote ? [] : [[invoice.paid, model.paid] as const]),
      ...(isDue ? [[invoice.due, model.due] as const] : []),
    ],
    notes: [
      ...(corrects === null ? [] : [invoice.corrects({ number: corrects.number, date: corrects.date })]),
      ...reasons,
    ],
    payments: paymentRows(locale, model),
    payUrl: isDue ? invoiceUrl(checkoutUrl, view.invoice) : null,
    issuedAt: view.invoice.issuedAt,
  }
}
