import { creditedLines, type Invoice, linesLeft, sumsOf } from '../../domain/invoice.ts'
import { type Amount, amountOf, minorOf } from '../../domain/money.ts'
import type { Refund } from '../../domain/refund.ts'
import type { Tables } from '../../storage/port.ts'
import { type Draft, type IssueContext, storeInvoice } from './steps/store.ts'

const cancelling = ({ number }: Invoice): string => `cancelled ${number}`

/** The latest invoice of an order; null if it has none, or if a credit note has cancelled it. */
export async function standingInvoice(tables: Tables, orderId: string): Promise<Invoice | null> {
  const all = await tables.invoices.listOf(orderId)
  const last = all.findLast(({ content }) => content.kind === 'invoice')
  const isCancelled = last && all.some(({ cause }) => cause === cancelling(last))
  return last && !isCancelled ? last : null
}

/** A credit note that is to be issued. */
interface Credit extends Pick<Draft, 'cause' | 'action'> {
  /** the amount to credit; null for all that is left of the invoice */
  part: Amount | null
}

/**
 * Issues a credit note for a part of an invoice, unless it was issued before. At most what is left of the
 * invoice is credited: if a shop accepted less than the order's amount, it can still refund the whole amount.
 */
async function credit(
  context: IssueContext,
  tables: Tables,
  invoice: Invoice,
  { cause, action, part }: Credit,
): Promise<Invoice | null> {
  const { content, merchantId, orderId, number } = invoice
  const { currency, issueDate: date } = content
  const merchant = await tables.merchants.find(merchantId)
  const all = await tables.invoices.listOf(orderId)
  if (!merchant || all.some(one => one.cause === cause)) return null
  const notes = all.filter(one => one.content.corrects?.number === number)
  const former = notes.map(note => note.content.lines)
  const left = linesLeft(content.lines, former, currency)
  const rest = minorOf(sumsOf(left, currency).gross, currency)
  if (rest === 0n) return null
  const isAll = part === null || minorOf(part, currency) >= rest
  const lines = isAll ? left : creditedLines(content.lines, left, part, currency)
  const sums = sumsOf(lines, currency)
  return storeInvoice(context, tables, {
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

/**
 * Credits the shortfall of an order whose invoice was issued before the shop accepted less than its amount.
 */
export const creditShortfall = (context: IssueContext, tables: Tables, invoice: Invoice, part: Amount) =>
  credit(context, tables, invoice, { cause: 'accepted less', action: 'invoice.credited', part })

/** Issues the credit note for a refund, if its order has an invoice. */
export async function creditRefund(
  context: IssueContext,
  tables: Tables,
  { id, orderId, amount: part }: Pick<Refund, 'id' | 'orderId' | 'amount'>,
): Promise<void> {
  const invoice = await standingInvoice(tables, orderId)
  const cause = `refund ${id}`
  if (invoice) await credit(context, tables, invoice, { cause, action: 'invoice.credited', part })
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
