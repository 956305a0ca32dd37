import type { InvoiceContent } from '../domain/invoice.ts'
import { type EInvoice, eInvoiceOf, PAYMENT_MEANS, PIECE } from './e-invoice.ts'
import { documentOf, element, elementWith, type Xml } from './xml.ts'

const OASIS = 'urn:oasis:names:specification:ubl:schema:xsd'

type Content = Parameters<typeof element>[1]

const cac = (name: string, ...content: Content[]) => element(`cac:${name}`, ...content)
const cbc = (name: string, content: Content) => element(`cbc:${name}`, content)
const sum = (name: string, { currency }: EInvoice, amount: string) =>
  elementWith(`cbc:${name}`, { currencyID: currency }, amount)

const scheme = (id: string): Xml | null => cac('TaxScheme', cbc('ID', id))

const endpoint = (email: string | null): Xml | null =>
  elementWith('cbc:EndpointID', { schemeID: 'EM' }, email)

const address = (
  name: 'PostalAddress' | 'Address',
  { street, town, postcode, country }: EInvoice['buyer'],
): Xml | null =>
  cac(
    name,
    cbc('StreetName', street),
    cbc('CityName', town),
    cbc('PostalZone', postcode),
    cac('Country', cbc('IdentificationCode', country)),
  )

const registration = (id: string | null, of: 'VAT' | 'FC'): Xml | null =>
  id ? cac('PartyTaxScheme', cbc('CompanyID', id), scheme(of)) : null

const contact = ({ contact }: EInvoice['seller']): Xml | null =>
  cac(
    'Contact',
    cbc('Name', contact?.name),
    cbc('Telephone', contact?.phone),
    cbc('ElectronicMail', contact?.email),
  )

const sellerOf = ({ seller }: EInvoice): Xml | null =>
  cac(
    'AccountingSupplierParty',
    cac(
      'Party',
      endpoint(seller.email),
      cac('PartyIdentification', cbc('ID', seller.id)),
      address('PostalAddress', seller),
      registration(seller.vatId, 'VAT'),
      registration(seller.taxNumber, 'FC'),
      cac('PartyLegalEntity', cbc('RegistrationName', seller.name)),
      contact(seller),
    ),
  )

const buyerOf = ({ buyer }: EInvoice): Xml | null =>
  cac(
    'AccountingCustomerParty',
    cac(
      'Party',
      endpoint(buyer.email),
      address('PostalAddress', buyer),
      registration(buyer.vatId, 'VAT'),
      cac('PartyLegalEntity', cbc('RegistrationName', buyer.name)),
    ),
  )

const delivery = ({ deliverTo, deliveryDate }: EInvoice): Xml | null =>
  cac(
    'Delivery',
    cbc('ActualDeliveryDate', deliveryDate),
    deliverTo && cac('DeliveryLocation', address('Address', deliverTo)),
  )

const taxSubtotal = (content: EInvoice, group: EInvoice['groups'][number]): Xml | null =>
  cac(
    'TaxSubtotal',
    sum('TaxableAmount', content, group.net),
    sum('TaxAmount', content, group.tax),
    cac(
      'TaxCategory',
      cbc('ID', group.category),
      cbc('Percent', group.rate),
      cbc('TaxExemptionReasonCode', group.exemption?.code),
      cbc('TaxExemptionReason', group.exemption?.text),
      scheme('VAT'),
    ),
  )

const totals = (content: EInvoice): Xml | null =>
  cac(
    'LegalMonetaryTotal',
    sum('LineExtensionAmount', content, content.net),
    sum('TaxExclusiveAmount', content, content.net),
    sum('TaxInclusiveAmount', content, content.gross),
    sum('PrepaidAmount', content, content.paid),
    sum('PayableAmount', content, content.due),
  )

/** A line of the invoice. Its price is the price of the whole line, so that no price has to be rounded. */
function line(content: EInvoice, group: EInvoice['groups'][number], at: number): Xml | null {
  const isInvoice = content.kind === 'invoice'
  const piece = (name: string) => elementWith(`cbc:${name}`, { unitCode: PIECE }, 1)
  return cac(
    isInvoice ? 'InvoiceLine' : 'CreditNoteLine',
    cbc('ID', at + 1),
    piece(isInvoice ? 'InvoicedQuantity' : 'CreditedQuantity'),
    sum('LineExtensionAmount', content, group.net),
    cac(
      'Item',
      cbc('Name', content.item),
      cac('ClassifiedTaxCategory', cbc('ID', group.category), cbc('Percent', group.lineRate), scheme('VAT')),
    ),
    cac('Price', sum('PriceAmount', content, group.net), piece('BaseQuantity')),
  )
}

const correctedBy = ({ corrects }: EInvoice): Xml | null =>
  corrects &&
  cac(
    'BillingReference',
    cac('InvoiceDocumentReference', cbc('ID', corrects.number), cbc('IssueDate', corrects.date)),
  )

/** An invoice in the syntax of UBL 2.1, as XRechnung and Peppol use it. */
export function ublOf(invoice: InvoiceContent): string {
  const content = eInvoiceOf(invoice)
  const { profile, typeCode, number, issueDate, currency, reference, means, terms, tax, groups } = content
  const root = content.kind === 'invoice' ? 'Invoice' : 'CreditNote'
  return documentOf(
    elementWith(
      root,
      {
        xmlns: `${OASIS}:${root}-2`,
        'xmlns:cac': `${OASIS}:CommonAggregateComponents-2`,
        'xmlns:cbc': `${OASIS}:CommonBasicComponents-2`,
      },
      cbc('CustomizationID', profile.id),
      cbc('ProfileID', profile.process),
      cbc('ID', number),
      cbc('IssueDate', issueDate),
      cbc(`${root}TypeCode`, typeCode),
      cbc('DocumentCurrencyCode', currency),
      cbc('BuyerReference', reference),
      correctedBy(content),
      sellerOf(content),
      buyerOf(content),
      delivery(content),
      cac(
        'PaymentMeans',
        elementWith('cbc:PaymentMeansCode', { name: means }, PAYMENT_MEANS),
        cbc('PaymentID', number),
      ),
      cac('PaymentTerms', cbc('Note', terms)),
      cac(
        'TaxTotal',
        sum('TaxAmount', content, tax),
        groups.map(group => taxSubtotal(content, group)),
      ),
      totals(content),
      groups.map((group, at) => line(content, group, at)),
    ),
  )
}
