import type { CalendarDate } from '../domain/calendar.ts'
import type { InvoiceContent } from '../domain/invoice.ts'
import { type EInvoice, eInvoiceOf, PAYMENT_MEANS, PIECE } from './e-invoice.ts'
import { documentOf, element, elementWith, type Xml } from './xml.ts'

const UNECE = 'urn:un:unece:uncefact:data:standard'
const EMAIL = { schemeID: 'EM' }

/** Makes an element of the namespace that most elements have. */
const ram = (name: string, ...content: Parameters<typeof element>[1][]) => element(`ram:${name}`, ...content)

/** A date as 20261123, which is format 102 of UNCL 2379. */
const date = (day: CalendarDate, namespace = 'udt') =>
  elementWith(`${namespace}:DateTimeString`, { format: '102' }, day.replaceAll('-', ''))

const context = ({ profile: { id, process } }: EInvoice): Xml | null =>
  element(
    'rsm:ExchangedDocumentContext',
    ram('BusinessProcessSpecifiedDocumentContextParameter', ram('ID', process)),
    ram('GuidelineSpecifiedDocumentContextParameter', ram('ID', id)),
  )

/** A line of the invoice. Its price is the price of the whole line, so that no price has to be rounded. */
const line = (
  item: string,
  { category, net, lineRate }: EInvoice['groups'][number],
  at: number,
): Xml | null => {
  const piece = (name: string) => elementWith(`ram:${name}`, { unitCode: PIECE }, 1)
  return ram(
    'IncludedSupplyChainTradeLineItem',
    ram('AssociatedDocumentLineDocument', ram('LineID', at + 1)),
    ram('SpecifiedTradeProduct', ram('Name', item)),
    ram(
      'SpecifiedLineTradeAgreement',
      ram('NetPriceProductTradePrice', ram('ChargeAmount', net), piece('BasisQuantity')),
    ),
    ram('SpecifiedLineTradeDelivery', piece('BilledQuantity')),
    ram(
      'SpecifiedLineTradeSettlement',
      ram(
        'ApplicableTradeTax',
        ram('TypeCode', 'VAT'),
        ram('CategoryCode', category),
        ram('RateApplicablePercent', lineRate),
      ),
      ram('SpecifiedTradeSettlementLineMonetarySummation', ram('LineTotalAmount', net)),
    ),
  )
}

const address = ({ postcode, street, town, country }: EInvoice['buyer']): Xml | null =>
  ram(
    'PostalTradeAddress',
    ram('PostcodeCode', postcode),
    ram('LineOne', street),
    ram('CityName', town),
    ram('CountryID', country),
  )

const mailbox = (email: string | null): Xml | null =>
  ram('URIUniversalCommunication', elementWith('ram:URIID', EMAIL, email))

const registration = (schemeID: 'VA' | 'FC', id: string | null): Xml | null =>
  ram('SpecifiedTaxRegistration', elementWith('ram:ID', { schemeID }, id))

const contact = ({ contact }: EInvoice['seller']): Xml | null =>
  ram(
    'DefinedTradeContact',
    ram('PersonName', contact?.name),
    ram('TelephoneUniversalCommunication', ram('CompleteNumber', contact?.phone)),
    ram('EmailURIUniversalCommunication', ram('URIID', contact?.email)),
  )

const agreement = ({ seller, buyer, reference }: EInvoice): Xml | null =>
  ram(
    'ApplicableHeaderTradeAgreement',
    ram('BuyerReference', reference),
    ram(
      'SellerTradeParty',
      ram('ID', seller.id),
      ram('Name', seller.name),
      contact(seller),
      address(seller),
      mailbox(seller.email),
      registration('VA', seller.vatId),
      registration('FC', seller.taxNumber),
    ),
    ram(
      'BuyerTradeParty',
      ram('Name', buyer.name),
      address(buyer),
      mailbox(buyer.email),
      registration('VA', buyer.vatId),
    ),
  )

const delivery = ({ deliverTo, deliveryDate }: EInvoice): Xml | null =>
  ram(
    'ApplicableHeaderTradeDelivery',
    deliverTo && ram('ShipToTradeParty', address(deliverTo)),
    ram('ActualDeliverySupplyChainEvent', ram('OccurrenceDateTime', date(deliveryDate))),
  )

const taxGroup = ({ category, net, tax, rate, exemption }: EInvoice['groups'][number]): Xml | null =>
  ram(
    'ApplicableTradeTax',
    ram('CalculatedAmount', tax),
    ram('TypeCode', 'VAT'),
    ram('ExemptionReason', exemption?.text),
    ram('BasisAmount', net),
    ram('CategoryCode', category),
    ram('ExemptionReasonCode', exemption?.code),
    ram('RateApplicablePercent', rate),
  )

const totals = ({ currency, net, tax, gross, paid, due }: EInvoice): Xml | null =>
  ram(
    'SpecifiedTradeSettlementHeaderMonetarySummation',
    ram('LineTotalAmount', net),
    ram('TaxBasisTotalAmount', net),
    elementWith('ram:TaxTotalAmount', { currencyID: currency }, tax),
    ram('GrandTotalAmount', gross),
    ram('TotalPrepaidAmount', paid),
    ram('DuePayableAmount', due),
  )

function settlement(content: EInvoice): Xml | null {
  const { number, currency, corrects, means, terms, groups } = content
  return ram(
    'ApplicableHeaderTradeSettlement',
    ram('PaymentReference', number),
    ram('InvoiceCurrencyCode', currency),
    ram('SpecifiedTradeSettlementPaymentMeans', ram('TypeCode', PAYMENT_MEANS), ram('Information', means)),
    groups.map(taxGroup),
    ram('SpecifiedTradePaymentTerms', ram('Description', terms)),
    totals(content),
    corrects &&
      ram(
        'InvoiceReferencedDocument',
        ram('IssuerAssignedID', corrects.number),
        ram('FormattedIssueDateTime', date(corrects.date, 'qdt')),
      ),
  )
}

/** An invoice in the syntax of UN/CEFACT (Cross Industry Invoice), as Factur-X and XRechnung use it. */
export function ciiOf(invoice: InvoiceContent): string {
  const content = eInvoiceOf(invoice)
  const { number, typeCode, issueDate, item, groups } = content
  return documentOf(
    elementWith(
      'rsm:CrossIndustryInvoice',
      {
        'xmlns:rsm': `${UNECE}:CrossIndustryInvoice:100`,
        'xmlns:ram': `${UNECE}:ReusableAggregateBusinessInformationEntity:100`,
        'xmlns:udt': `${UNECE}:UnqualifiedDataType:100`,
        'xmlns:qdt': `${UNECE}:QualifiedDataType:100`,
      },
      context(content),
      element(
        'rsm:ExchangedDocument',
        ram('ID', number),
        ram('TypeCode', typeCode),
        ram('IssueDateTime', date(issueDate)),
      ),
      element(
        'rsm:SupplyChainTradeTransaction',
        groups.map((group, at) => line(item, group, at)),
        agreement(content),
        delivery(content),
        settlement(content),
      ),
    ),
  )
}
