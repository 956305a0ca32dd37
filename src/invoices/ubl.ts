import { type InvoiceBuyer, type InvoiceContent, type InvoiceSeller, linesOf } from '../domain/invoice.ts'
import type { TaxLine } from '../domain/tax.ts'
import {
  buyerCountry,
  exemptionOf,
  meansOf,
  namesRate,
  namesVatIds,
  PAYMENT_MEANS,
  PIECE,
  percentOf,
  profileOf,
  sellerId,
  termsOf,
  typeCode,
} from './profile.ts'
import { documentOf, element, elementWith, type Xml } from './xml.ts'

const OASIS = 'urn:oasis:names:specification:ubl:schema:xsd'

type Content = Parameters<typeof element>[1]

const cac = (name: string, ...content: Content[]) => element(`cac:${name}`, ...content)
const cbc = (name: string, content: Content) => element(`cbc:${name}`, content)
const sum = (name: string, { currency }: InvoiceContent, amount: string) =>
  elementWith(`cbc:${name}`, { currencyID: currency }, amount)

const scheme = (id: string): Xml | null => cac('TaxScheme', cbc('ID', id))

/** Outside of the scope of VAT there is no rate. */
const rate = ({ category, rate }: TaxLine): Xml | null =>
  category === 'O' ? null : cbc('Percent', percentOf(rate))

const endpoint = (email: string | null): Xml | null =>
  elementWith('cbc:EndpointID', { schemeID: 'EM' }, email)

const country = (code: string): Xml | null => cac('Country', cbc('IdentificationCode', code))

const address = (
  name: 'PostalAddress' | 'Address',
  { street, town, postcode }: InvoiceBuyer | InvoiceSeller,
  code: string,
): Xml | null =>
  cac(name, cbc('StreetName', street), cbc('CityName', town), cbc('PostalZone', postcode), country(code))

const registration = (id: string | null | false, of: 'VAT' | 'FC'): Xml | null =>
  id ? cac('PartyTaxScheme', cbc('CompanyID', id), scheme(of)) : null

const contact = ({ contact, phone, email }: InvoiceSeller): Xml | null =>
  contact === null
    ? null
    : cac('Contact', cbc('Name', contact), cbc('Telephone', phone), cbc('ElectronicMail', email))

const sellerOf = (content: InvoiceContent): Xml | null => {
  const { seller } = content
  return cac(
    'AccountingSupplierParty',
    cac(
      'Party',
      endpoint(seller.email),
      cac('PartyIdentification', cbc('ID', sellerId(content))),
      address('PostalAddress', seller, seller.country),
      registration(namesVatIds(content) && seller.vatId, 'VAT'),
      registration(seller.taxNumber, 'FC'),
      cac('PartyLegalEntity', cbc('RegistrationName', seller.name)),
      contact(seller),
    ),
  )
}

const buyerOf = (content: InvoiceContent): Xml | null => {
  const { buyer } = content
  return cac(
    'AccountingCustomerParty',
    cac(
      'Party',
      endpoint(buyer.email),
      address('PostalAddress', buyer, buyerCountry(content)),
      registration(namesVatIds(content) && buyer.vatId, 'VAT'),
      cac('PartyLegalEntity', cbc('RegistrationName', buyer.name)),
    ),
  )
}

function delivery(content: InvoiceContent): Xml | null {
  const isIntraCommunity = content.lines.some(({ category }) => category === 'K')
  return cac(
    'Delivery',
    cbc('ActualDeliveryDate', content.deliveryDate),
    isIntraCommunity && cac('DeliveryLocation', address('Address', content.buyer, buyerCountry(content))),
  )
}

function taxSubtotal(content: InvoiceContent, group: TaxLine): Xml | null {
  const exemption = exemptionOf(content, group)
  return cac(
    'TaxSubtotal',
    sum('TaxableAmount', content, group.net),
    sum('TaxAmount', content, group.tax),
    cac(
      'TaxCategory',
      cbc('ID', group.category),
      namesRate(content, group) && cbc('Percent', percentOf(group.rate)),
      cbc('TaxExemptionReasonCode', exemption?.code),
      cbc('TaxExemptionReason', exemption?.text),
      scheme('VAT'),
    ),
  )
}

const totals = (content: InvoiceContent): Xml | null =>
  cac(
    'LegalMonetaryTotal',
    sum('LineExtensionAmount', content, content.net),
    sum('TaxExclusiveAmount', content, content.net),
    sum('TaxInclusiveAmount', content, content.gross),
    sum('PrepaidAmount', content, content.paid),
    sum('PayableAmount', content, content.due),
  )

/** The price is that of the whole line, so that no price has to be rounded. */
function line(content: InvoiceContent, taxed: TaxLine, at: number): Xml | null {
  const isInvoice = content.kind === 'invoice'
  const piece = (name: string) => elementWith(`cbc:${name}`, { unitCode: PIECE }, 1)
  return cac(
    isInvoice ? 'InvoiceLine' : 'CreditNoteLine',
    cbc('ID', at + 1),
    piece(isInvoice ? 'InvoicedQuantity' : 'CreditedQuantity'),
    sum('LineExtensionAmount', content, taxed.net),
    cac(
      'Item',
      cbc('Name', content.item),
      cac('ClassifiedTaxCategory', cbc('ID', taxed.category), rate(taxed), scheme('VAT')),
    ),
    cac('Price', sum('PriceAmount', content, taxed.net), piece('BaseQuantity')),
  )
}

const correctedBy = ({ corrects }: InvoiceContent): Xml | null =>
  corrects &&
  cac(
    'BillingReference',
    cac('InvoiceDocumentReference', cbc('ID', corrects.number), cbc('IssueDate', corrects.date)),
  )

/** An invoice in the syntax of UBL 2.1, as XRechnung and Peppol have it. */
export function ublOf(content: InvoiceContent): string {
  const { number, issueDate, currency, buyer, order, tax } = content
  const { id, process } = profileOf(content)
  const root = content.kind === 'invoice' ? 'Invoice' : 'CreditNote'
  return documentOf(
    elementWith(
      root,
      {
        xmlns: `${OASIS}:${root}-2`,
        'xmlns:cac': `${OASIS}:CommonAggregateComponents-2`,
        'xmlns:cbc': `${OASIS}:CommonBasicComponents-2`,
      },
      cbc('CustomizationID', id),
      cbc('ProfileID', process),
      cbc('ID', number),
      cbc('IssueDate', issueDate),
      cbc(`${root}TypeCode`, typeCode(content)),
      cbc('DocumentCurrencyCode', currency),
      cbc('BuyerReference', buyer.reference ?? order),
      correctedBy(content),
      sellerOf(content),
      buyerOf(content),
      delivery(content),
      cac(
        'PaymentMeans',
        elementWith('cbc:PaymentMeansCode', { name: meansOf(content) }, PAYMENT_MEANS),
        cbc('PaymentID', number),
      ),
      cac('PaymentTerms', cbc('Note', termsOf(content))),
      cac(
        'TaxTotal',
        sum('TaxAmount', content, tax),
        linesOf(content).map(group => taxSubtotal(content, group)),
      ),
      totals(content),
      linesOf(content).map((taxed, at) => line(content, taxed, at)),
    ),
  )
}
