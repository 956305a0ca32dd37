import { type InvoiceBuyer, type InvoiceContent, type InvoiceSeller, linesOf } from '../domain/invoice.ts'
import type { Amount } from '../domain/money.ts'
import type { TaxCategory, TaxLine, TaxRate } from '../domain/tax.ts'

/* The content that both syntaxes of EN 16931 share. Names such as BT-24 are those of the standard. */

interface Party {
  name: string
  street: string
  postcode: string
  town: string
  country: string
  email: string | null
  /**
   * null if the party has none; also null if the invoice is outside the scope of VAT and must name no VAT ID
   */
  vatId: string | null
}

interface Seller extends Party {
  /** a number (BT-29), which a seller without a VAT ID must have; null for other sellers */
  id: string | null
  taxNumber: string | null
  /** XRechnung requires all three properties */
  contact: { name: string; phone: string | null; email: string | null } | null
}

interface TaxGroup {
  category: TaxCategory
  net: Amount
  tax: Amount
  /**
   * "19.00"; both are null outside of the scope of VAT, where only XRechnung requires a rate, and only for
   * the group
   */
  lineRate: string | null
  rate: string | null
  /** reason why no tax is charged (BT-120, BT-121); null for the standard and the zero rate */
  exemption: { code: string | null; text: string } | null
}

/** An e-invoice in the terms of EN 16931. */
export interface EInvoice extends Omit<InvoiceContent, 'seller' | 'buyer'> {
  /** the specification that it follows (BT-24), and its business process (BT-23) */
  profile: { id: string; process: string | null }
  /** UNCL 1001: invoice or credit note */
  typeCode: '380' | '381'
  /** a number by which the buyer knows the order (BT-10) */
  reference: string
  seller: Seller
  buyer: Party
  /** the buyer, if the country of delivery decides about the tax; null otherwise */
  deliverTo: Party | null
  /** the coin or the provider of the payments (BT-82) */
  means: string
  /** payment terms: how the invoice was or can be paid (BT-20) */
  terms: string
  groups: TaxGroup[]
}

const EN_16931 = 'urn:cen.eu:en16931:2017'
const XRECHNUNG = `${EN_16931}#compliant#urn:xeinkauf.de:kosit:xrechnung_3.0`
const PEPPOL_PROCESS = 'urn:fdc:peppol.eu:2017:poacc:billing:01:1.0'

/** True if the invoice contains everything that XRechnung requires beyond EN 16931. */
const isXRechnung = ({ seller, buyer }: InvoiceContent): boolean =>
  seller.country === 'DE' &&
  [seller.contact, seller.phone, seller.email, buyer.email, buyer.town, buyer.postcode].every(Boolean)

/**
 * Code of UNCL 4461 for an online payment service, as coins and providers' pages are. Other codes require an
 * IBAN.
 */
export const PAYMENT_MEANS = '68'

/** One piece, by UN/ECE recommendation 20. */
export const PIECE = 'C62'

/** Formats a tax rate in percent: "19.00" for 1900 basis points. */
const percentOf = (rate: TaxRate): string =>
  `${Math.trunc(rate / 100)}.${String(rate % 100).padStart(2, '0')}`

const reasons: Partial<Record<TaxCategory, { code: string | null; text: string }>> = {
  E: { code: null, text: 'Exempt from VAT' },
  AE: { code: 'VATEX-EU-AE', text: 'Reverse charge' },
  K: { code: 'VATEX-EU-IC', text: 'Intra-Community supply' },
  G: { code: 'VATEX-EU-G', text: 'Export outside the EU' },
  O: { code: 'VATEX-EU-O', text: 'Not subject to VAT' },
}

function groupOf(content: InvoiceContent, { category, rate, net, tax }: TaxLine): TaxGroup {
  const isOutside = category === 'O'
  const reason = reasons[category]
  const text = (category === 'E' && content.exemption) || reason?.text
  return {
    ...{ category, net, tax },
    lineRate: isOutside ? null : percentOf(rate),
    rate: isOutside && !isXRechnung(content) ? null : percentOf(rate),
    exemption: reason && text ? { code: reason.code, text } : null,
  }
}

/** Describes how the invoice was or can be paid (BT-20). */
function termsOf({ kind, payments, payUrl, paid, currency, issueDate, corrects }: InvoiceContent): string {
  if (kind === 'credit_note') return `Refund or cancellation of invoice ${corrects?.number ?? ''}`
  if (payUrl !== null) return `Payable online: ${payUrl}`
  const [all, each] = [`Paid ${issueDate}: ${paid} ${currency}`, payments.map(partOf).join('; ')]
  return each === '' ? all : each
}

const partOf = ({
  date,
  method,
  received,
  rate,
  transactionId,
}: InvoiceContent['payments'][number]): string =>
  [
    `Paid ${date} with ${method}`,
    received,
    rate && `at ${rate}`,
    transactionId && `transaction ${transactionId}`,
  ]
    .filter(Boolean)
    .join(', ')

const meansOf = ({ payments }: InvoiceContent): string =>
  [...new Set(payments.map(({ method }) => method))].join(', ') || 'Online payment'

function partyOf(
  { name, street, postcode, town, email, vatId }: InvoiceBuyer | InvoiceSeller,
  country: string,
  isInScope: boolean,
): Party {
  return { name, street, postcode, town, country, email, vatId: isInScope ? vatId : null }
}

/** Converts an invoice to the terms of EN 16931. The standard has two syntaxes for them. */
export function eInvoiceOf(content: InvoiceContent): EInvoice {
  const { kind, lines, seller, buyer, order } = content
  const isInScope = lines.every(({ category }) => category !== 'O')
  const named = partyOf(seller, seller.country, isInScope)
  const { contact, phone, email, taxNumber } = seller
  // An order without a country is taxed as if it was sold in the seller's country.
  const buying = partyOf(buyer, buyer.country ?? seller.country, isInScope)
  return {
    ...content,
    profile: isXRechnung(content)
      ? { id: XRECHNUNG, process: PEPPOL_PROCESS }
      : { id: EN_16931, process: null },
    typeCode: kind === 'invoice' ? '380' : '381',
    reference: buyer.reference ?? order,
    seller: {
      ...named,
      id: named.vatId === null ? (taxNumber ?? seller.name) : null,
      taxNumber,
      contact: contact === null ? null : { name: contact, phone, email },
    },
    buyer: buying,
    deliverTo: lines.some(({ category }) => category === 'K') ? buying : null,
    means: meansOf(content),
    terms: termsOf(content),
    groups: linesOf(content).map(line => groupOf(content, line)),
  }
}
