import type { ShopModel } from '../shop.ts'

export interface PartyModel {
  name: string
  /** street, place and country */
  address: string[]
  vatId: string | null
  taxNumber: string | null
  /** addresses and numbers by which the party can be reached */
  contacts: string[]
}

/** The content of a mail with the link to an invoice. */
export interface InvoiceMailModel {
  shop: ShopModel
  number: string
  reference: string
  total: string
  /** amount that is left to pay; null if nothing is */
  due: string | null
  url: string
}

/** The content of an invoice or credit note, already formatted. */
export interface InvoiceModel {
  orderId: string
  shop: ShopModel
  isCreditNote: boolean
  number: string
  issued: string
  supplied: string
  /** the shop's number of the order */
  order: string
  seller: PartyModel
  buyer: PartyModel
  item: string
  /** one line for each tax rate, with formatted amounts */
  lines: { net: string; rate: string; tax: string }[]
  net: string
  tax: string
  gross: string
  paid: string
  due: string
  isDue: boolean
  /** reasons why no tax is charged */
  reasons: string[]
  payments: {
    method: string
    received: string | null
    rate: string | null
    transactionId: string | null
    date: string
  }[]
  corrects: { number: string; date: string } | null
  /** URL at which the invoice can be paid; null if it is paid */
  payUrl: string | null
  /** the other invoices and credit notes of the order */
  others: { number: string; isCreditNote: boolean; url: string }[]
  /** the same content as a file; null if there is none */
  xmlUrl: string | null
  pdfUrl: string | null
}
