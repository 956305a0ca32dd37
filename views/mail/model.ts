import type { ReceiptModel } from '../receipt/model.ts'
import type { ShopModel } from '../shop.ts'

/** What a mail with a link to an order shows. */
export interface LinkModel {
  shop: ShopModel
  reference: string
  item: string | null
  total: string
  /** of the page where the order is paid */
  url: string
}

/** What a mail with a receipt shows. */
export interface ReceiptMailModel {
  receipt: ReceiptModel
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
