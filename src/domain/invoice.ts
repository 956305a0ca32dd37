import type { CalendarDate } from './calendar.ts'
import { currencyDecimals } from './currency.ts'
import { type Amount, amountOf, minorOf } from './money.ts'
import { isInUnion, spread, type TaxLine, taxIn } from './tax.ts'

/** When invoices are issued: never, when an order is paid, or when a person of the shop sends one. */
export const invoicePolicies = ['off', 'paid', 'manual'] as const
export type InvoicePolicy = (typeof invoicePolicies)[number]

interface PostalAddress {
  street: string
  postcode: string
  town: string
  /** ISO 3166, two letters */
  country: string
}

/** A shop as its invoices name it. */
export interface InvoiceSeller extends PostalAddress {
  name: string
  vatId: string | null
  /** the number that the tax office assigned */
  taxNumber: string | null
  /**
   * person who answers questions about invoices; XRechnung requires the person, the phone number and the
   * email address
   */
  contact: string | null
  phone: string | null
  email: string | null
}

export interface InvoiceSettings {
  policy: InvoicePolicy
  seller: InvoiceSeller
}

/** Details of the buyer that their order does not have. */
export interface BillingDetails extends PostalAddress {
  name: string
  vatId: string | null
  /** a number by which the buyer knows the order, such as a Leitweg-ID */
  reference: string | null
}

export interface InvoiceBuyer extends Omit<BillingDetails, 'country'> {
  /** null if the order does not name a country */
  country: string | null
  email: string | null
}

/** A payment for an invoice, in the coin in which it was made. */
export interface InvoicePayment {
  /** "Bitcoin", or the name of the provider */
  method: string
  /** "0.00041 BTC"; null for a provider's payment */
  received: string | null
  /** price of one coin in the currency of the invoice */
  rate: string | null
  transactionId: string | null
  date: CalendarDate
}

/** An invoice or credit note as it was issued. Everything that shows the document reads only this content. */
export interface InvoiceContent {
  kind: 'invoice' | 'credit_note'
  number: string
  issueDate: CalendarDate
  deliveryDate: CalendarDate
  currency: string
  /** language of the checkout on which the order was paid, or else of the merchant */
  language: string
  seller: InvoiceSeller
  buyer: InvoiceBuyer
  /** the shop's number of the order, or Florin's number */
  order: string
  item: string
  /** one line for each tax category and rate; amounts of a credit note are positive */
  lines: readonly TaxLine[]
  /** reason why no tax is charged in category E, if the shop names one */
  exemption: string | null
  net: Amount
  tax: Amount
  gross: Amount
  paid: Amount
  due: Amount
  payments: readonly InvoicePayment[]
  /** URL at which an unpaid invoice can be paid */
  payUrl: string | null
  /** the invoice that a credit note corrects */
  corrects: { number: string; date: CalendarDate } | null
}

export interface Invoice {
  id: string
  merchantId: string
  orderId: string
  /** the reason for issuing it, unique in its order: "sale", "cancelled" or "refund ID" */
  cause: string
  /** year in its number, in the shop's time zone */
  year: number
  ordinal: number
  number: string
  content: InvoiceContent
  /** the e-invoice, byte for byte as it was issued; null if `eInvoiceFault` names a reason */
  xml: string | null
  /** hash of the XML, in hexadecimal */
  sha256: string | null
  issuedAt: number
}

/** A number of a series, such as 2026-000042. */
export const invoiceNumber = (year: number, ordinal: number): string =>
  `${year}-${String(ordinal).padStart(6, '0')}`

const required = ['name', 'street', 'postcode', 'town', 'country'] as const
type MissingDetail = (typeof required)[number] | 'vatId'

/**
 * Details that invoices must contain and that the settings lack. A shop in the EU needs a VAT ID or a tax
 * number.
 */
export function missingDetails(seller: InvoiceSeller): MissingDetail[] {
  const missing: MissingDetail[] = required.filter(name => seller[name] === '')
  const hasNumber = seller.vatId !== null || seller.taxNumber !== null
  return hasNumber || !isInUnion(seller.country) ? missing : [...missing, 'vatId']
}

interface Sums {
  net: Amount
  tax: Amount
  gross: Amount
}

export function sumsOf(lines: readonly TaxLine[], currency: string): Sums {
  const sum = (part: 'net' | 'tax') => lines.reduce((all, line) => all + minorOf(line[part], currency), 0n)
  const [net, tax] = [sum('net'), sum('tax')]
  return { net: amountOf(net, currency), tax: amountOf(tax, currency), gross: amountOf(net + tax, currency) }
}

/**
 * The line of an order without tax: category O, not subject to tax, if the seller has neither a VAT ID nor a
 * tax number; otherwise E, exempt.
 */
export const untaxedLine = (amount: Amount, currency: string, seller: InvoiceSeller): TaxLine => ({
  category: seller.vatId === null && seller.taxNumber === null ? 'O' : 'E',
  rate: 0,
  net: amount,
  tax: amountOf(0n, currency),
})

/** The lines of an invoice less the lines of its credit notes. */
export function linesLeft(
  lines: readonly TaxLine[],
  credited: readonly (readonly TaxLine[])[],
  currency: string,
): TaxLine[] {
  const left = (at: number, part: 'net' | 'tax', whole: Amount) =>
    credited.reduce(
      (rest, note) => rest - minorOf(note[at]?.[part] ?? '0', currency),
      minorOf(whole, currency),
    )
  return lines.map((line, at) => ({
    ...line,
    net: amountOf(left(at, 'net', line.net), currency),
    tax: amountOf(left(at, 'tax', line.tax), currency),
  }))
}

/**
 * The lines of a credit note for a part of what is left of an invoice. Each line has its share of the part.
 * Its tax is the tax that all credit notes up to this one contain, less the tax of the earlier ones. Credit
 * notes for all of an invoice therefore add up to it exactly, and each has the tax of its refund in the
 * books.
 */
export function creditedLines(
  lines: readonly TaxLine[],
  left: readonly TaxLine[],
  part: Amount,
  currency: string,
): TaxLine[] {
  const grossOf = ({ net, tax }: TaxLine) => minorOf(net, currency) + minorOf(tax, currency)
  const rest = left.map(grossOf)
  const shares = spread(minorOf(part, currency), rest)
  return lines.map((line, at) => {
    const share = shares[at] ?? 0n
    const before = grossOf(line) - (rest[at] ?? 0n)
    const tax = taxIn(before + share, line.rate) - taxIn(before, line.rate)
    return { ...line, net: amountOf(share - tax, currency), tax: amountOf(tax, currency) }
  })
}

/** Reason why no e-invoice can be made of an invoice, because EN 16931 cannot express it. */
type EInvoiceFault = 'decimals' | 'seller_number' | 'buyer_number'

export function eInvoiceFault({ currency, lines, seller, buyer }: InvoiceContent): EInvoiceFault | null {
  if ((currencyDecimals(currency) ?? 3) > 2) return 'decimals'
  const has = (categories: string) => lines.some(({ category }) => categories.split(' ').includes(category))
  if (has('K G') && seller.vatId === null) return 'seller_number'
  if (!has('O') && seller.vatId === null && seller.taxNumber === null) return 'seller_number'
  return has('AE K') && buyer.vatId === null ? 'buyer_number' : null
}

/** The lines whose amount is not zero; all lines if all are zero. */
export function linesOf({ lines }: Pick<InvoiceContent, 'lines'>): readonly TaxLine[] {
  const some = lines.filter(({ net, tax }) => /[1-9]/.test(net + tax))
  return some.length === 0 ? lines : some
}
