import type { TransactionModel } from '../parts.ts'
import type { ReceiptModel } from '../receipt/model.ts'
import type { ShopModel } from '../shop.ts'

/** The content of a mail with a link to an order. */
export interface LinkModel {
  shop: ShopModel
  reference: string
  item: string | null
  total: string
  /** URL of the page on which the order is paid */
  url: string
}

export interface ReceiptMailModel {
  receipt: ReceiptModel
  /** URL of the receipt */
  url: string
  /** null if the order has none */
  invoiceUrl: string | null
  isSandbox: boolean
}

export interface MailedPaymentModel {
  method: string
  amount: string
  /** value in the order's currency; null if unknown, or equal to the amount */
  worth: string | null
  at: string
  transaction: TransactionModel | null
}

/** The content of a mail about payments of an order. */
export interface PaymentMailModel {
  shop: ShopModel
  subject: string
  greeting: string
  reference: string
  item: string | null
  payments: MailedPaymentModel[]
  refunds: { at: string; amount: string }[]
  /** last lines of the mail's list, such as the remaining amount */
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
