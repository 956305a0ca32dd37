import { Command } from 'commander'
import { invalid } from '../domain/errors.ts'
import type { Invoice } from '../domain/invoice.ts'
import type { Context } from '../operations/context.ts'
import { findInvoice, invoicesOf, listInvoices, placeOf } from '../operations/invoices/read.ts'
import { writePdf } from '../operations/invoices/write-pdf.ts'
import type { InvoiceView } from '../operations/letters.ts'
import { getMerchant } from '../operations/merchants/read.ts'
import { presentInvoiceRow } from '../present/invoice.ts'
import { type Answer, type Cli, command, MERCHANT_ID, tableOf } from './cli.ts'

const LIST_MAX = 500

interface List {
  merchant: string
  limit: string
  before?: string
}

const list = (cli: Cli) =>
  command('list', 'list invoices and credit notes, highest number first')
    .requiredOption('--merchant <id>', MERCHANT_ID)
    .option('--limit <number>', `at most this many, up to ${LIST_MAX}`, '50')
    .option('--before <number>', 'only those below this number, such as 2026-000042')
    .action(
      cli.withContext(async (context, { merchant, limit, before }: List) => {
        const count = Number(limit)
        if (!Number.isInteger(count) || count < 1 || count > LIST_MAX) {
          throw invalid('limit', `must be an integer from 1 to ${LIST_MAX}`)
        }
        const place = before === undefined ? null : placeOf(before)
        if (before !== undefined && place === null)
          throw invalid('before', 'must be a number such as 2026-000042')
        const { id } = await getMerchant(context, merchant)
        const { items } = await listInvoices(context, id, count, place)
        const rows = items.map(presentInvoiceRow)
        const table = rows.map(({ number, kind, issueDate, gross, currency, buyer }) => [
          ...[number, kind, issueDate],
          `${gross} ${currency}`,
          buyer,
        ])
        const text =
          rows.length === 0
            ? 'No invoices. Switch them on: florin merchant set ID --invoices paid'
            : tableOf([['number', 'kind', 'date', 'total', 'buyer'], ...table])
        return { json: { items: rows }, text }
      }),
    )

const formats = ['json', 'html', 'pdf', 'cii', 'ubl'] as const
type Format = (typeof formats)[number]

const noFile = (): Error =>
  invalid('format', 'cannot express this invoice: see florin invoice show --format json')

async function viewOf(context: Context, invoice: Invoice): Promise<InvoiceView> {
  const { merchantId, orderId } = invoice
  const [merchant, all] = [await getMerchant(context, merchantId), await invoicesOf(context, orderId)]
  return { invoice, merchant, all }
}

async function write(context: Context, invoice: Invoice, format: Exclude<Format, 'pdf'>): Promise<string> {
  const { content, xml } = invoice
  switch (format) {
    case 'json':
      return JSON.stringify({ ...presentInvoiceRow(invoice), content }, null, 2)
    case 'html':
      return context.letters.invoicePage(await viewOf(context, invoice), content.language)
    case 'cii':
      if (xml === null) throw noFile()
      return xml
    case 'ubl':
      if (xml === null) throw noFile()
      return context.invoiceFiles.ubl(content)
  }
}

const show = (cli: Cli) =>
  command('show', 'print an invoice or a credit note, as it was issued')
    .argument('<number>', 'its number, such as 2026-000042')
    .requiredOption('--merchant <id>', MERCHANT_ID)
    .option(
      '--format <json|html|pdf|cii|ubl>',
      'json; html: a page; pdf: Factur-X, with the e-invoice inside; cii, ubl: an e-invoice of EN 16931 in ' +
        'this syntax',
      'json',
    )
    .action(
      cli.withContext(
        async (context, number: string, given: { merchant: string; format: string }): Promise<Answer> => {
          const format = formats.find(one => one === given.format)
          if (format === undefined) throw invalid('format', `must be one of ${formats.join(', ')}`)
          const invoice = await findInvoice(context, given.merchant, number)
          if (format === 'pdf') {
            const bytes = await writePdf(context, await viewOf(context, invoice))
            const base64 = Buffer.from(bytes).toString('base64')
            return { json: { ...presentInvoiceRow(invoice), format, base64 }, text: '', bytes }
          }
          const text = await write(context, invoice, format)
          const json = format === 'json' ? JSON.parse(text) : { ...presentInvoiceRow(invoice), format, text }
          return { json, text: text.trimEnd() }
        },
      ),
    )

export const invoice = (cli: Cli): Command =>
  new Command('invoice')
    .description('list and print invoices and credit notes')
    .addCommand(list(cli))
    .addCommand(show(cli))
