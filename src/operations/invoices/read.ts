import { Refusal } from '../../domain/errors.ts'
import type { Invoice } from '../../domain/invoice.ts'
import type { InvoicePlace } from '../../storage/port.ts'
import type { Context } from '../context.ts'

type ReadContext = Pick<Context, 'storage'>

/** The year and the ordinal in an invoice number such as 2026-000042; null for any other text. */
export function placeOf(number: string): InvoicePlace | null {
  const [, year, ordinal] = /^([0-9]{4})-([0-9]{6,9})$/.exec(number.trim()) ?? []
  return year === undefined || ordinal === undefined ? null : { year: Number(year), ordinal: Number(ordinal) }
}

/** The invoice or credit note of a shop with this number. */
export async function findInvoice(
  context: ReadContext,
  merchantId: string,
  number: string,
): Promise<Invoice> {
  const place = placeOf(number)
  const found = place && (await context.storage.read(tables => tables.invoices.find(merchantId, place)))
  if (!found) throw new Refusal('not_found', 'No invoice has this number.')
  return found
}

/**
 * Loads the invoice of an order that buyers see, or its invoice or credit note with the given number. If the
 * merchant is suspended, nothing is found.
 */
export async function loadInvoice(context: ReadContext, orderId: string, number?: string) {
  const found = await context.storage.read(async tables => {
    const all = await tables.invoices.listOf(orderId)
    const invoice = number === undefined ? all[0] : all.find(one => one.number === number)
    const merchant = invoice && (await tables.merchants.find(invoice.merchantId))
    return invoice && merchant?.status === 'active' ? { invoice, merchant, all } : null
  })
  if (!found) {
    const reason = { kind: 'order_unknown' } as const
    throw new Refusal('not_found', 'There is no such invoice.', { reason })
  }
  return found
}

/** The invoice and the credit notes of an order, oldest first. */
export const invoicesOf = (context: ReadContext, orderId: string): Promise<Invoice[]> =>
  context.storage.read(tables => tables.invoices.listOf(orderId))

/**
 * The invoices and credit notes of a shop, highest number first, and where the next page begins; null at the
 * end.
 */
export async function listInvoices(
  context: ReadContext,
  merchantId: string,
  limit: number,
  before: InvoicePlace | null,
): Promise<{ items: Invoice[]; next: InvoicePlace | null }> {
  const found = await context.storage.read(tables => tables.invoices.list(merchantId, limit + 1, before))
  const items = found.slice(0, limit)
  return { items, next: found.length > limit ? (items.at(-1) ?? null) : null }
}
