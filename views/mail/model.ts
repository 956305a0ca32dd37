import type { ReceiptModel } from '../receipt/model.ts'

/** What a mail with a link to an order shows. */
export interface LinkModel {
  shopName: string
  /** where a buyer asks for help; null if the shop does not say */
  support: string | null
  reference: string
  item: string | null
  total: string
  /** of the page where the order is paid */
  url: string
}

/** What a mail with a receipt shows. */
export interface ReceiptMailModel {
  receipt: ReceiptModel
  support: string | null
  /** of the receipt */
  url: string
  isSandbox: boolean
}

/** A mail, as plain text and as HTML. */
export interface Mail {
  subject: string
  text: string
  html: string
}
