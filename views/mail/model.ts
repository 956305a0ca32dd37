import type { TransactionModel } from '../parts.ts'
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

/** A payment, as a mail shows it. */
export interface MailedPaymentModel {
  method: string
  amount: string
  /** in the order's currency; null if that is not known, or is the amount */
  worth: string | null
  at: string
  transaction: TransactionModel | null
}

/** What a mail about payments of an order shows. */
export interface PaymentMailModel {
  shop: ShopModel
  subject: string
  greeting: string
  reference: string
  item: string | null
  payments: MailedPaymentModel[]
  refunds: { at: string; amount: string }[]
  /** what the mail ends its list with, such as the amount that is left */
  sums: { label: string; value: string }[]
  button: { label: string; url: string }
  isSandbox: boolean
}

/** A mail, as plain text and as HTML. */
export interface Mail {
  subject: string
  text: string
  html: string
}
