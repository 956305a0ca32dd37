import { createHash } from 'node:crypto'
import type { AuditAction } from '../../../domain/audit-action.ts'
import { dateAt } from '../../../domain/calendar.ts'
import { eInvoiceFault, type Invoice, type InvoiceContent, invoiceNumber } from '../../../domain/invoice.ts'
import type { Merchant } from '../../../domain/merchant.ts'
import type { Tables } from '../../../storage/port.ts'
import { type AuditContext, recordAudit } from '../../audit/record.ts'
import type { Context } from '../../context.ts'

export type IssueContext = Pick<Context, 'ids' | 'clock' | 'invoiceFiles' | 'origin'>

export interface Draft {
  merchant: Pick<Merchant, 'id' | 'timeZone'>
  orderId: string
  cause: string
  action: Extract<AuditAction, `invoice.${string}`>
  content: Omit<InvoiceContent, 'number' | 'issueDate' | 'deliveryDate'>
}

/**
 * Gives a draft its number, and stores it with a row in the audit log. A draft has no number before, so that
 * a draft which is dropped leaves no gap in the numbers.
 */
export async function storeInvoice(
  context: IssueContext,
  tables: Tables,
  { merchant, orderId, cause, action, content: draft }: Draft,
): Promise<Invoice> {
  const { ids, clock, invoiceFiles } = context
  const now = clock()
  // The date never goes back, even if the clock does, or if the shop moves to a time zone further west.
  const [last] = await tables.invoices.list(merchant.id, 1, null)
  const today = dateAt(now, merchant.timeZone)
  const issueDate = last && last.content.issueDate > today ? last.content.issueDate : today
  const year = Number(issueDate.slice(0, 4))
  const ordinal = await tables.invoices.nextOrdinal(merchant.id, year)
  const number = invoiceNumber(year, ordinal)
  const content: InvoiceContent = { ...draft, number, issueDate, deliveryDate: issueDate }
  const xml = eInvoiceFault(content) === null ? invoiceFiles.cii(content) : null
  const invoice: Invoice = {
    ...{ id: ids.uuid(), merchantId: merchant.id, orderId, cause, year, ordinal, number, content, xml },
    sha256: xml && createHash('sha256').update(xml).digest('hex'),
    issuedAt: now,
  }
  await tables.invoices.insert(invoice)
  await recordInvoice(context, tables, invoice, action)
  return invoice
}

/** Records in the audit log what happened to an invoice, without the name or the address of its buyer. */
export async function recordInvoice(
  context: AuditContext,
  tables: Tables,
  { merchantId, orderId, number, content }: Invoice,
  action: Draft['action'],
): Promise<void> {
  const { corrects, gross, currency } = content
  const numbers = corrects ? { creditNote: number, invoice: corrects.number } : { invoice: number }
  const after = { ...numbers, total: `${gross} ${currency}` }
  await recordAudit(context, tables, { merchantId, action, subject: `order:${orderId}`, before: null, after })
}
