import { dateTimeFormat, numberFormat } from '../../views/formats.ts'
import type { InvoiceMailModel, InvoiceModel, PartyModel } from '../../views/invoice/model.ts'
import type { Locale } from '../../views/locale.ts'
import type { CalendarDate } from '../domain/calendar.ts'
import {
  type Invoice,
  type InvoiceBuyer,
  type InvoiceContent,
  type InvoiceSeller,
  linesOf,
} from '../domain/invoice.ts'
import { isPositive } from '../domain/money.ts'
import type { TaxCategory } from '../domain/tax.ts'
import type { InvoiceLetter, InvoiceView } from '../operations/letters.ts'
import { coinName, money, price } from './amounts.ts'
import { referenceOf } from './checkout.ts'
import { presentShopFor, shopInMail } from './help.ts'
import { presentShop } from './shop.ts'

const dateOf = ({ formats }: Locale, date: CalendarDate): string =>
  dateTimeFormat(formats, { dateStyle: 'long', timeZone: 'UTC' }).format(Date.parse(`${date}T12:00Z`))

/** The name of a country in the language of the page. */
function countryOf({ formats }: Locale, code: string | null): string | null {
  if (!code) return null
  try {
    return new Intl.DisplayNames(formats, { type: 'region' }).of(code) ?? code
  } catch {
    return code
  }
}

const addressOf = (
  locale: Locale,
  { street, postcode, town, country }: InvoiceBuyer | InvoiceSeller,
): string[] =>
  [street, `${postcode} ${town}`.trim(), countryOf(locale, country) ?? ''].filter(line => line !== '')

const sellerOf = (locale: Locale, seller: InvoiceSeller): PartyModel => ({
  name: seller.name,
  address: addressOf(locale, seller),
  vatId: seller.vatId,
  taxNumber: seller.taxNumber,
  contacts: [seller.contact, seller.phone, seller.email].filter(one => one !== null),
})

const buyerOf = (locale: Locale, buyer: InvoiceBuyer): PartyModel => ({
  name: buyer.name,
  address: addressOf(locale, buyer),
  vatId: buyer.vatId,
  taxNumber: null,
  contacts: buyer.reference === null ? [] : [buyer.reference],
})

/** The sentences that explain why no tax is charged, for the categories without tax. */
function reasonsOf({ texts: { invoice } }: Locale, content: InvoiceContent): string[] {
  const reasons: Partial<Record<TaxCategory, string>> = {
    E: content.exemption ?? invoice.exempt,
    AE: invoice.reverseCharge,
    K: invoice.intraCommunity,
    G: invoice.export,
    O: invoice.outside,
  }
  return [...new Set(linesOf(content).map(({ category }) => reasons[category]))].filter(
    one => one !== undefined,
  )
}

/** A tax rate in the language of the page: "19%". */
const rateOf = ({ formats }: Locale, rate: number): string =>
  numberFormat(formats, { style: 'percent', maximumFractionDigits: 2 }).format(rate / 10_000)

export const invoiceUrl = (checkoutUrl: string, { orderId, number }: Invoice, file = ''): string =>
  `${checkoutUrl}/pay/${orderId}/invoice${file}?number=${number}`

export function presentInvoice(
  locale: Locale,
  { invoice, merchant, all }: InvoiceView,
  hasPdf = false,
): InvoiceModel {
  const { content, number, orderId, xml } = invoice
  const { currency, payments, corrects, due } = content
  const shown = (amount: string) => money(locale, { amount, currency })
  const isCreditNote = content.kind === 'credit_note'
  const isDue = isPositive(due)
  return {
    orderId,
    shop: presentShop(merchant),
    isCreditNote,
    number,
    issued: dateOf(locale, content.issueDate),
    supplied: dateOf(locale, content.deliveryDate),
    order: content.order,
    seller: sellerOf(locale, content.seller),
    buyer: buyerOf(locale, content.buyer),
    item: content.item,
    lines: linesOf(content).map(line => ({
      net: shown(line.net),
      rate: rateOf(locale, line.rate),
      tax: shown(line.tax),
    })),
    net: shown(content.net),
    tax: shown(content.tax),
    gross: shown(content.gross),
    paid: shown(content.paid),
    due: shown(due),
    isDue,
    reasons: reasonsOf(locale, content),
    payments: payments.map(({ method, received, rate, transactionId, date }) => ({
      method: received === null ? method : coinName(locale, method),
      received,
      rate: rate && received && `1 ${received.split(' ').at(-1)} = ${price(locale, rate, currency)}`,
      transactionId,
      date: dateOf(locale, date),
    })),
    corrects: corrects && { number: corrects.number, date: dateOf(locale, corrects.date) },
    payUrl: isDue ? `/pay/${orderId}` : null,
    others: all
      .filter(other => other.number !== number)
      .map(other => ({
        number: other.number,
        isCreditNote: other.content.kind === 'credit_note',
        url: invoiceUrl('', other),
      })),
    xmlUrl: xml === null ? null : invoiceUrl('', invoice, '.xml'),
    pdfUrl: hasPdf ? invoiceUrl('', invoice, '.pdf') : null,
  }
}

/** A mail with the link to an invoice. An unpaid invoice can be paid there. */
export function presentInvoiceMail(
  locale: Locale,
  { order, merchant, invoice }: InvoiceLetter,
  checkoutUrl: string,
): InvoiceMailModel {
  const { number, content } = invoice
  const { gross, due, currency } = content
  const url = `${invoiceUrl(checkoutUrl, invoice)}&lang=${locale.tag}`
  const reference = referenceOf(order)
  const topic = { reference, url, method: null, transactionId: null }
  return {
    shop: shopInMail(presentShopFor(locale, merchant, topic), merchant),
    number,
    reference,
    total: money(locale, { amount: gross, currency }),
    due: isPositive(due) ? money(locale, { amount: due, currency }) : null,
    url,
  }
}

/** An invoice as the command line prints it. Amounts are decimal strings. */
export const presentInvoiceRow = ({ number, orderId, content, sha256 }: Invoice) => {
  const { kind, issueDate, currency, net, tax, gross, due, buyer, corrects } = content
  return {
    number,
    kind,
    issueDate,
    orderUUID: orderId,
    ...{ currency, net, tax, gross, due },
    buyer: buyer.name,
    corrects: corrects?.number ?? null,
    xmlSha256: sha256,
  }
}
