import type { InvoiceContent } from '../domain/invoice.ts'
import type { TaxCategory, TaxLine, TaxRate } from '../domain/tax.ts'

/* What both syntaxes of EN 16931 say alike. Names such as BT-24 are those of the standard. */

const EN_16931 = 'urn:cen.eu:en16931:2017'
const XRECHNUNG = `${EN_16931}#compliant#urn:xeinkauf.de:kosit:xrechnung_3.0`
const PEPPOL_PROCESS = 'urn:fdc:peppol.eu:2017:poacc:billing:01:1.0'

/** Everything that XRechnung demands beyond EN 16931 is there. */
const isXRechnung = ({ seller, buyer }: InvoiceContent): boolean =>
  seller.country === 'DE' &&
  [seller.contact, seller.phone, seller.email, buyer.email, buyer.town, buyer.postcode].every(Boolean)

/** The specification that an invoice follows (BT-24), and its business process (BT-23). */
export const profileOf = (content: InvoiceContent): { id: string; process: string | null } =>
  isXRechnung(content) ? { id: XRECHNUNG, process: PEPPOL_PROCESS } : { id: EN_16931, process: null }

/** UNCL 1001: invoice or credit note. */
export const typeCode = ({ kind }: InvoiceContent): string => (kind === 'invoice' ? '380' : '381')

/** UNCL 4461: an online payment service, as coins and providers' pages are. Other codes ask for an IBAN. */
export const PAYMENT_MEANS = '68'

/** One piece, by UN/ECE recommendation 20. */
export const PIECE = 'C62'

/**
 * Whether a tax group names its rate: outside of the scope of VAT there is none, but XRechnung demands it
 * (BR-DE-14). Lines of such an invoice have no rate in either profile (BR-O-05).
 */
export const namesRate = (content: InvoiceContent, { category }: TaxLine): boolean =>
  category !== 'O' || isXRechnung(content)

/** "19.00" for 1900 basis points. */
export const percentOf = (rate: TaxRate): string =>
  `${Math.trunc(rate / 100)}.${String(rate % 100).padStart(2, '0')}`

const reasons: Partial<Record<TaxCategory, { code: string | null; text: string }>> = {
  E: { code: null, text: 'Exempt from VAT' },
  AE: { code: 'VATEX-EU-AE', text: 'Reverse charge' },
  K: { code: 'VATEX-EU-IC', text: 'Intra-Community supply' },
  G: { code: 'VATEX-EU-G', text: 'Export outside the EU' },
  O: { code: 'VATEX-EU-O', text: 'Not subject to VAT' },
}

/** Why no tax is charged (BT-120, BT-121); null for the standard and the zero rate. */
export function exemptionOf(
  { exemption }: InvoiceContent,
  { category }: TaxLine,
): { code: string | null; text: string } | null {
  const reason = reasons[category]
  return reason ? { ...reason, text: category === 'E' ? (exemption ?? reason.text) : reason.text } : null
}

/** A seller outside of the scope of VAT names no VAT ID, nor does their buyer. */
export const namesVatIds = ({ lines }: InvoiceContent): boolean =>
  lines.every(({ category }) => category !== 'O')

/** The country of the buyer, where an order does not say it: sales are taxed as if at home. */
export const buyerCountry = ({ buyer, seller }: InvoiceContent): string => buyer.country ?? seller.country

/** How it was or can be paid (BT-20). */
export function termsOf({
  kind,
  payments,
  payUrl,
  paid,
  currency,
  issueDate,
  corrects,
}: InvoiceContent): string {
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

/** The coin or the provider of the payments (BT-82). */
export const meansOf = ({ payments }: InvoiceContent): string =>
  [...new Set(payments.map(({ method }) => method))].join(', ') || 'Online payment'

/** A number of the seller (BT-29), which one without a VAT ID has to have. */
export const sellerId = (content: InvoiceContent): string | null => {
  const { vatId, taxNumber, name } = content.seller
  return vatId !== null && namesVatIds(content) ? null : (taxNumber ?? name)
}
