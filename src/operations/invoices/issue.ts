import { createHash } from 'node:crypto'
import type { AuditAction } from '../../domain/audit-action.ts'
import { dateAt } from '../../domain/calendar.ts'
import {
  type BillingDetails,
  creditedLines,
  eInvoiceFault,
  type Invoice,
  type InvoiceContent,
  invoiceNumber,
  linesLeft,
  sumsOf,
  untaxedLine,
  yearAt,
} from '../../domain/invoice.ts'
import type { Merchant } from '../../domain/merchant.ts'
import { amountOf } from '../../domain/money.ts'
import type { Order } from '../../domain/order.ts'
import type { Refund } from '../../domain/refund.ts'
import type { Tables } from '../../storage/port.ts'
import { type AuditContext, recordAudit } from '../audit/record.ts'
import type { Context } from '../context.ts'
import { loadInvoicePayments } from './payments.ts'

export type IssueContext = Pick<Context, 'ids' | 'clock' | 'invoiceFiles' | 'origin'>

interface Draft {
  merchant: Pick<Merchant, 'id' | 'timeZone'>
  orderId: string
  cause: string
  action: Extract<AuditAction, `invoice.${string}`>
  content: Omit<InvoiceContent, 'number' | 'issueDate' | 'deliveryDate'>
}

/**
 * Gives a draft its number, and stores it with a row in the audit log. Drafts have no number, so that none is
 * lost with them.
 */
async function issue(
  context: IssueContext,
  tables: Tables,
  { merchant, orderId, cause, action, content: draft }: Draft,
): Promise<Invoice> {
  const { ids, clock, invoiceFiles } = context
  const now = clock()
  const year = yearAt(now, merchant.timeZone)
  const ordinal = await tables.invoices.nextOrdinal(merchant.id, year)
  const number = invoiceNumber(year, ordinal)
  const issueDate = dateAt(now, merchant.timeZone)
  const content: InvoiceContent = { ...draft, number, issueDate, deliveryDate: issueDate }
  const xml = eInvoiceFault(content) === null ? invoiceFiles.cii(content) : null
  const invoice: Invoice = {
    id: ids.uuid(),
    merchantId: merchant.id,
    orderId,
    cause,
    year,
    ordinal,
    number,
    content,
    xml,
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

/** The invoice of an order that no credit note cancelled. */
async function standingInvoice(tables: Tables, orderId: string): Promise<Invoice | null> {
  const all = await tables.invoices.listOf(orderId)
  const last = all.findLast(({ content }) => content.kind === 'invoice')
  const isCancelled = last && all.some(({ cause }) => cause === cancelling(last))
  return last && !isCancelled ? last : null
}

const cancelling = ({ number }: Invoice): string => `cancelled ${number}`

function buyerOf({ customerFullName, customerEmail, tax }: Order, billing: BillingDetails | null) {
  const plain = {
    name: customerFullName || customerEmail,
    street: '',
    postcode: '',
    town: '',
    reference: null,
  }
  const known = { country: tax?.country ?? null, vatId: tax?.vatId ?? null, email: customerEmail }
  return { ...plain, ...known, ...billing, email: customerEmail }
}

interface Sale {
  order: Order
  merchant: Merchant
  billing?: BillingDetails
  /** where it can be paid, if it is not paid */
  payUrl?: string
}

/** Issues the invoice of an order, unless it has one. */
export async function issueInvoice(
  context: IssueContext,
  tables: Tables,
  { order, merchant, billing, payUrl }: Sale,
): Promise<Invoice | null> {
  if (merchant.invoicing === null) return null
  const standing = await standingInvoice(tables, order.id)
  if (standing) return standing
  const { seller } = merchant.invoicing
  const { currency, tax } = order
  const lines = tax?.lines ?? [untaxedLine(order.amount, currency, seller)]
  const sums = sumsOf(lines, currency)
  const nothing = amountOf(0n, currency)
  const isPaid = order.status === 'PAID'
  const { payments, language } = await loadInvoicePayments(tables, order.id, merchant.timeZone)
  const before = (await tables.invoices.listOf(order.id)).length
  const content = {
    kind: 'invoice' as const,
    currency,
    language: language ?? merchant.language,
    seller,
    buyer: buyerOf(order, billing ?? null),
    order: order.externalId ?? order.id,
    item: order.productName ?? order.description ?? order.externalId ?? order.id,
    lines,
    exemption: tax?.exemption ?? null,
    ...sums,
    paid: isPaid ? sums.gross : nothing,
    due: isPaid ? nothing : sums.gross,
    payments: isPaid ? payments : [],
    payUrl: isPaid ? null : (payUrl ?? null),
    corrects: null,
  }
  const cause = before === 0 ? 'sale' : `sale after ${before}`
  return issue(context, tables, { merchant, orderId: order.id, cause, action: 'invoice.issued', content })
}

/** Issues the invoice of an order that has just been paid, if the shop wants it. */
export async function invoicePaidOrder(context: IssueContext, tables: Tables, order: Order): Promise<void> {
  const merchant = await tables.merchants.find(order.merchantId)
  if (merchant?.invoicing?.policy === 'paid') await issueInvoice(context, tables, { order, merchant })
}

/** The credit note for a part of an invoice; for all that is left of it with null. */
async function credit(
  context: IssueContext,
  tables: Tables,
  invoice: Invoice,
  { cause, action, part }: Pick<Draft, 'cause' | 'action'> & { part: Refund['amount'] | null },
): Promise<Invoice | null> {
  const { content, merchantId, orderId, number } = invoice
  const { currency, issueDate: date } = content
  const merchant = await tables.merchants.find(merchantId)
  if (!merchant) return null
  const notes = (await tables.invoices.listOf(orderId)).filter(one => one.content.corrects?.number === number)
  const left = linesLeft(
    content.lines,
    notes.map(note => note.content.lines),
    currency,
  )
  const lines = part === null ? left : creditedLines(left, part, currency)
  const sums = sumsOf(lines, currency)
  return issue(context, tables, {
    merchant,
    orderId,
    cause,
    action,
    content: {
      ...content,
      ...sums,
      kind: 'credit_note',
      lines,
      paid: sums.gross,
      due: amountOf(0n, currency),
      payments: [],
      payUrl: null,
      corrects: { number, date },
    },
  })
}

/** Issues the credit note for a refund of an order that has an invoice. */
export async function creditRefund(
  context: IssueContext,
  tables: Tables,
  { id, orderId, amount }: Pick<Refund, 'id' | 'orderId' | 'amount'>,
): Promise<void> {
  const invoice = await standingInvoice(tables, orderId)
  const cause = `refund ${id}`
  if (invoice) await credit(context, tables, invoice, { cause, action: 'invoice.credited', part: amount })
}

/** Cancels the invoice of an order that will not be paid, by a credit note for all of it. */
export async function cancelInvoice(
  context: IssueContext,
  tables: Tables,
  orderId: string,
): Promise<Invoice | null> {
  const invoice = await standingInvoice(tables, orderId)
  if (!invoice) return null
  const cause = cancelling(invoice)
  return credit(context, tables, invoice, { cause, action: 'invoice.cancelled', part: null })
}
