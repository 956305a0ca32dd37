import { bankLines } from './bank.ts'
import type { Books } from './books.ts'
import { booksCsv } from './csv.ts'
import { datevFile } from './datev.ts'
import { invoiceLines } from './invoices.ts'
import { ledgerFile } from './ledger.ts'
import { booksXlsx } from './xlsx.ts'

interface BookFormat {
  extension: string
  type: string
  write(books: Books): AsyncGenerator<string | Uint8Array>
}

const csv = { extension: 'csv', type: 'text/csv; charset=utf-8' }
const plain = { type: 'text/plain; charset=utf-8' }
const datev = { extension: 'csv', type: 'text/csv; charset=windows-1252' }

/** The formats of the files for bookkeeping. */
export const bookFormats = {
  csv: { ...csv, write: booksCsv },
  xlsx: {
    extension: 'xlsx',
    type: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
    write: booksXlsx,
  },
  skr03: { ...datev, write: books => datevFile(books, 'skr03') },
  skr04: { ...datev, write: books => datevFile(books, 'skr04') },
  xero: { ...csv, write: books => bankLines(books, 'xero') },
  quickbooks: { ...csv, write: books => bankLines(books, 'quickbooks') },
  xeroInvoices: { ...csv, write: books => invoiceLines(books, 'xero') },
  quickbooksInvoices: { ...csv, write: books => invoiceLines(books, 'quickbooks') },
  hledger: { ...plain, extension: 'journal', write: books => ledgerFile(books, 'hledger') },
  beancount: { ...plain, extension: 'beancount', write: books => ledgerFile(books, 'beancount') },
} as const satisfies Record<string, BookFormat>

type BookFormatName = keyof typeof bookFormats

export const bookFormatNames = Object.keys(bookFormats) as BookFormatName[]
