import type { CalendarDate } from '../domain/calendar.ts'
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

const UNECE = 'urn:un:unece:uncefact:data:standard'
const EMAIL = { schemeID: 'EM' }

/** Elements of the usual namespace. */
const ram = (name: string, ...content: Parameters<typeof element>[1][]) => element(`ram:${name}`, ...content)

/** 20261123, which is format 102 of UNCL 2379. */
const date = (day: CalendarDate, namespace = 'udt') =>
  elementWith(`${namespace}:DateTimeString`, { format: '102' }, day.replaceAll('-', ''))

function context(content: InvoiceContent): Xml | null {
  const { id, process } = profileOf(content)
  return element(
    'rsm:ExchangedDocumentContext',
    ram('BusinessProcessSpecifiedDocumentContextParameter', ram('ID', process)),
    ram('GuidelineSpecifiedDocumentContextParameter', ram('ID', id)),
  )
}

/** Outside of the scope of VAT there is no rate. */
const rateOf = ({ category, rate }: TaxLine): Xml | null =>
  category === 'O' ? null : ram('RateApplicablePercent', percentOf(rate))

/** The price is that of the whole line, so that no price has to be rounded. */
const line = ({ item }: InvoiceContent, taxed: TaxLine, at: number): Xml | null => {
  const { category, net } = taxed
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
      ram('ApplicableTradeTax', ram('TypeCode', 'VAT'), ram('CategoryCode', category), rateOf(taxed)),
      ram('SpecifiedTradeSettlementLineMonetarySummation', ram('LineTotalAmount', net)),
    ),
  )
}

const address = ({ postcode, street, town }: InvoiceBuyer | InvoiceSeller, country: string): Xml | null =>
  ram(
    'PostalTradeAddress',
    ram('PostcodeCode', postcode),
    ram('LineOne', street),
    ram('CityName', town),
    ram('CountryID', country),
  )

const mailbox = (email: string | null): Xml | null =>
  ram('URIUniversalCommunication', elementWith('ram:URIID', EMAIL, email))

const registration = (schemeID: 'VA' | 'FC', id: string | null | false): Xml | null =>
  ram('SpecifiedTaxRegistration', elementWith('ram:ID', { schemeID }, id))

const contact = ({ contact, phone, email }: InvoiceSeller): Xml | null =>
  contact === null
    ? null
    : ram(
        'DefinedTradeContact',
        ram('PersonName', contact),
        ram('TelephoneUniversalCommunication', ram('CompleteNumber', phone)),
        ram('EmailURIUniversalCommunication', ram('URIID', email)),
      )

function agreement(content: InvoiceContent): Xml | null {
  const { seller, buyer, order } = content
  const hasVatIds = namesVatIds(content)
  return ram(
    'ApplicableHeaderTradeAgreement',
    ram('BuyerReference', buyer.reference ?? order),
    ram(
      'SellerTradeParty',
      ram('ID', sellerId(content)),
      ram('Name', seller.name),
      contact(seller),
      address(seller, seller.country),
      mailbox(seller.email),
      registration('VA', hasVatIds && seller.vatId),
      registration('FC', seller.taxNumber),
    ),
    ram(
      'BuyerTradeParty',
      ram('Name', buyer.name),
      address(buyer, buyerCountry(content)),
      mailbox(buyer.email),
      registration('VA', hasVatIds && buyer.vatId),
    ),
  )
}

function delivery(content: InvoiceContent): Xml | null {
  const isIntraCommunity = content.lines.some(({ category }) => category === 'K')
  return ram(
    'ApplicableHeaderTradeDelivery',
    isIntraCommunity && ram('ShipToTradeParty', address(content.buyer, buyerCountry(content))),
    ram('ActualDeliverySupplyChainEvent', ram('OccurrenceDateTime', date(content.deliveryDate))),
  )
}

function taxGroup(content: InvoiceContent, group: TaxLine): Xml | null {
  const exemption = exemptionOf(content, group)
  return ram(
    'ApplicableTradeTax',
    ram('CalculatedAmount', group.tax),
    ram('TypeCode', 'VAT'),
    ram('ExemptionReason', exemption?.text),
    ram('BasisAmount', group.net),
    ram('CategoryCode', group.category),
    ram('ExemptionReasonCode', exemption?.code),
    namesRate(content, group) && ram('RateApplicablePercent', percentOf(group.rate)),
  )
}

const totals = ({ currency, net, tax, gross, paid, due }: InvoiceContent): Xml | null =>
  ram(
    'SpecifiedTradeSettlementHeaderMonetarySummation',
    ram('LineTotalAmount', net),
    ram('TaxBasisTotalAmount', net),
    elementWith('ram:TaxTotalAmount', { currencyID: currency }, tax),
    ram('GrandTotalAmount', gross),
    ram('TotalPrepaidAmount', paid),
    ram('DuePayableAmount', due),
  )

function settlement(content: InvoiceContent): Xml | null {
  const { number, currency, corrects } = content
  return ram(
    'ApplicableHeaderTradeSettlement',
    ram('PaymentReference', number),
    ram('InvoiceCurrencyCode', currency),
    ram(
      'SpecifiedTradeSettlementPaymentMeans',
      ram('TypeCode', PAYMENT_MEANS),
      ram('Information', meansOf(content)),
    ),
    linesOf(content).map(group => taxGroup(content, group)),
    ram('SpecifiedTradePaymentTerms', ram('Description', termsOf(content))),
    totals(content),
    corrects &&
      ram(
        'InvoiceReferencedDocument',
        ram('IssuerAssignedID', corrects.number),
        ram('FormattedIssueDateTime', date(corrects.date, 'qdt')),
      ),
  )
}

/** An invoice in the syntax of UN/CEFACT (Cross Industry Invoice), as Factur-X and XRechnung have it. */
export const ciiOf = (content: InvoiceContent): string =>
  documentOf(
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
        ram('ID', content.number),
        ram('TypeCode', typeCode(content)),
        ram('IssueDateTime', date(content.issueDate)),
      ),
      element(
        'rsm:SupplyChainTradeTransaction',
        linesOf(content).map((taxed, at) => line(content, taxed, at)),
        agreement(content),
        delivery(content),
        settlement(content),
      ),
    ),
  )
