import { isUnreachable } from '../../domain/buyer-mail.ts'
import {
  type BillingDetails,
  type Invoice,
  type InvoiceSeller,
  sumsOf,
  untaxedLine,
} from '../../domain/invoice.ts'
import type { Merchant } from '../../domain/merchant.ts'
import { type Amount, amountOf, minorOf } from '../../domain/money.ts'
import type { Order } from '../../domain/order.ts'
import { settledOf } from '../../domain/settled.ts'
import { taxOfPart } from '../../domain/tax.ts'
import type { Tables } from '../../storage/port.ts'
import { creditRefund, creditShortfall, standingInvoice } from './credit.ts'
import { loadInvoicePayments } from './payments.ts'
import { type Draft, type IssueContext, storeInvoice } from './steps/store.ts'

/** The name of a buyer who left neither a name nor an address: the standard of e-invoices demands one. */
const NO_NAME = '–'

function buyerOf({ customerFullName, customerEmail, tax }: Order, billing: BillingDetails | null) {
  const email = isUnreachable(customerEmail) ? null : customerEmail
  const plain = {
    name: customerFullName || (email ?? NO_NAME),
    street: '',
    postcode: '',
    town: '',
    reference: null,
  }
  const known = { country: tax?.country ?? null, vatId: tax?.vatId ?? null }
  return { ...plain, ...known, ...billing, email }
}

interface Sale {
  order: Order
  merchant: Merchant
  billing?: BillingDetails
  /** URL at which an unpaid invoice can be paid */
  payUrl?: string
}

/**
 * The shortfall of an order whose payment a person accepted although it was too low; null if there is none.
 */
async function acceptedShortfall(tables: Tables, order: Order): Promise<Amount | null> {
  if (order.transactionId === null) return null
  const settlement = await tables.transactions.findSettlement(order.id)
  if (settlement?.verdict !== 'accepted') return null
  return settledOf({ price: order, ...settlement }).shortfall
}

/** The lines of an order's invoice: for the amount of the order, or for less if the shop accepted less. */
function linesOf({ amount, currency, tax }: Order, seller: InvoiceSeller, shortfall: Amount | null) {
  const less = shortfall ?? amountOf(0n, currency)
  const billed = amountOf(minorOf(amount, currency) - minorOf(less, currency), currency)
  if (tax) return shortfall === null ? tax.lines : taxOfPart(tax.lines, billed, currency)
  return [untaxedLine(billed, currency, seller)]
}

async function contentOf(
  tables: Tables,
  { order, merchant, billing, payUrl }: Sale,
  seller: InvoiceSeller,
  shortfall: Amount | null,
): Promise<Draft['content']> {
  const { currency } = order
  const lines = linesOf(order, seller, shortfall)
  const sums = sumsOf(lines, currency)
  const nothing = amountOf(0n, currency)
  const { payments, language } = await loadInvoicePayments(tables, order.id, merchant.timeZone)
  const isPaid = order.status === 'PAID'
  const money = isPaid
    ? { paid: sums.gross, due: nothing, payments, payUrl: null }
    : { paid: nothing, due: sums.gross, payments: [], payUrl: payUrl ?? null }
  return {
    kind: 'invoice',
    currency,
    language: language ?? merchant.language,
    seller,
    buyer: buyerOf(order, billing ?? null),
    order: order.externalId ?? order.id,
    item: order.productName ?? order.description ?? order.externalId ?? order.id,
    lines,
    exemption: order.tax?.exemption ?? null,
    ...sums,
    ...money,
    corrects: null,
  }
}

/** Max refunds of one order that are credited. */
const REFUNDS_MAX = 10_000

/** Credits what was refunded before the order had an invoice, oldest first. */
async function creditFormerRefunds(context: IssueContext, tables: Tables, order: Order): Promise<void> {
  if (order.refundCount === 0) return
  const refunds = await tables.refunds.list(order.id, REFUNDS_MAX, null)
  for (const refund of refunds.toReversed()) await creditRefund(context, tables, refund)
}

/**
 * Issues the invoice of an order, unless it has one, and the credit notes for what was refunded before. If an
 * earlier invoice is for more than the shop has accepted, the difference is credited.
 */
export async function issueInvoice(
  context: IssueContext,
  tables: Tables,
  sale: Sale,
): Promise<Invoice | null> {
  const { order, merchant } = sale
  if (merchant.invoicing === null) return null
  const shortfall = await acceptedShortfall(tables, order)
  const standing = await standingInvoice(tables, order.id)
  if (standing) {
    const isEarlier = minorOf(standing.content.due, order.currency) > 0n
    if (isEarlier && shortfall !== null) await creditShortfall(context, tables, standing, shortfall)
    return standing
  }
  const content = await contentOf(tables, sale, merchant.invoicing.seller, shortfall)
  const before = (await tables.invoices.listOf(order.id)).length
  const cause = before === 0 ? 'sale' : `sale after ${before}`
  const draft = { merchant, orderId: order.id, cause, action: 'invoice.issued' as const, content }
  const invoice = await storeInvoice(context, tables, draft)
  await creditFormerRefunds(context, tables, order)
  return invoice
}

/** Issues the invoice of an order that has just been paid, if the shop wants it or has already sent it. */
export async function invoicePaidOrder(context: IssueContext, tables: Tables, order: Order): Promise<void> {
  const merchant = await tables.merchants.find(order.merchantId)
  if (!merchant?.invoicing) return
  const isWanted = merchant.invoicing.policy === 'paid' || (await standingInvoice(tables, order.id)) !== null
  if (isWanted) await issueInvoice(context, tables, { order, merchant })
}
