import type { Invoice, InvoiceContent } from '../../domain/invoice.ts'
import type { TaxLine } from '../../domain/tax.ts'
import { csvFile } from '../csv.ts'
import { type BankProgram, dateIn } from './bank.ts'
import type { Books } from './books.ts'
import { percentOf } from './columns.ts'

/** The account for sales in Xero's default chart of accounts. */
const SALES = '200'

interface Line {
  invoice: Invoice
  line: TaxLine
  date: string
}

const negated = (amount: string): string => (/[1-9]/.test(amount) ? `-${amount}` : amount)

/** Makes the amounts of a credit note negative, because Xero recognizes a credit note by that. */
const signed = ({ kind }: InvoiceContent, amount: string): string =>
  kind === 'invoice' ? amount : negated(amount)

/** The columns that each program expects when it imports invoices. */
const programs: Record<BankProgram, { heads: string[]; cells: (of: Line) => (string | null)[] }> = {
  xero: {
    heads: [
      ...['*ContactName', 'EmailAddress', '*InvoiceNumber', 'Reference', '*InvoiceDate', '*DueDate'],
      ...['*Description', '*Quantity', '*UnitAmount', '*AccountCode', '*TaxType', 'TaxAmount', 'Currency'],
    ],
    cells: ({ invoice: { number, content }, line: { rate, net, tax }, date }) => [
      ...[
        content.buyer.name,
        content.buyer.email,
        number,
        content.corrects?.number ?? content.order,
        date,
        date,
      ],
      ...[content.item, '1', signed(content, net), SALES, `${percentOf(rate)}%`, signed(content, tax)],
      content.currency,
    ],
  },
  quickbooks: {
    heads: [
      ...['InvoiceNo', 'Customer', 'InvoiceDate', 'DueDate', 'ItemDescription', 'ItemAmount'],
      ...['ItemTaxAmount', 'Currency'],
    ],
    cells: ({ invoice: { number, content }, line: { net, tax }, date }) => [
      ...[number, content.buyer.name, date, date, content.item, net, tax, content.currency],
    ],
  },
}

/**
 * The invoices in the currency of the file, a row for each rate of tax, with net amounts. QuickBooks imports
 * no credit notes.
 */
export async function* invoiceLines(books: Books, name: BankProgram): AsyncGenerator<string> {
  const { heads, cells } = programs[name]
  async function* rows() {
    for await (const invoice of books.invoices) {
      const { kind, currency, issueDate, lines } = invoice.content
      if (currency !== books.currency || (name === 'quickbooks' && kind === 'credit_note')) continue
      for (const line of lines) yield cells({ invoice, line, date: dateIn(name, issueDate) })
    }
  }
  yield* csvFile(heads, rows())
}
