import type { CalendarDate } from '../../domain/calendar.ts'
import type { Invoice } from '../../domain/invoice.ts'
import type { Context } from '../context.ts'
import { listInvoices } from './read.ts'

const ROWS_AT_ONCE = 500

/**
 * The invoices and credit notes of a shop that were issued in a range of days, highest number first. Reads a
 * part at a time, so that an export of any length needs little memory.
 */
export async function* exportInvoices(
  context: Pick<Context, 'storage'>,
  merchantId: string,
  from: CalendarDate,
  to: CalendarDate,
): AsyncGenerator<Invoice> {
  for (let before: Invoice | null = null; ; ) {
    const page = await listInvoices(context, merchantId, ROWS_AT_ONCE, before)
    for (const invoice of page.items) {
      const { issueDate } = invoice.content
      // Invoices with lower numbers have no later dates, so the rest is out of the range too.
      if (issueDate < from) return
      if (issueDate <= to) yield invoice
    }
    before = page.items.at(-1) ?? null
    if (page.next === null) return
  }
}
