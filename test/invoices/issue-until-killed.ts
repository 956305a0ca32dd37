import type { Invoice } from '../../src/domain/invoice.ts'
import { invoiceNumber } from '../../src/domain/invoice.ts'
import { databaseFile, openStorage } from '../../src/storage/sqlite/open.ts'
import { madeInvoices } from './made-invoices.ts'

/* Issues invoices of one shop until it is killed. Every fifth write fails. Arguments: FOLDER SHOP */

const [folder = '', merchantId = ''] = process.argv.slice(2)
const storage = openStorage(databaseFile(folder), 0)
const [content] = madeInvoices(1, 1)
if (!content) throw new Error('there is an invoice to issue')
process.stdout.write('ready\n')
for (let count = 1; ; count++) {
  const write = storage.write(async tables => {
    const ordinal = await tables.invoices.nextOrdinal(merchantId, 2026)
    const number = invoiceNumber(2026, ordinal)
    const [id, orderId] = [crypto.randomUUID(), crypto.randomUUID()]
    const place = { year: 2026, ordinal, number }
    const invoice: Invoice = {
      id,
      merchantId,
      orderId,
      cause: 'sale',
      ...place,
      content,
      xml: null,
      sha256: null,
      issuedAt: 1,
    }
    await tables.invoices.insert(invoice)
    if (count % 5 === 0) throw new Error('undone')
  })
  await write.catch(error => {
    if (error.message !== 'undone') throw error
  })
}
