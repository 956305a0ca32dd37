import type { TransactionModel } from '../parts.ts'
import type { ShopModel } from '../shop.ts'

/** The content of a receipt, already formatted. */
export interface ReceiptModel {
  orderId: string
  shop: ShopModel
  /** the merchant's ID of the order, or the end of Florin's ID */
  reference: string
  /** the purchased item; null if the order does not name it */
  item: string | null
  total: string
  /** sentences about the tax in the total, or why there is none; empty in a shop without tax settings */
  tax: readonly string[]
  /** VAT IDs of the shop and of the buyer; null for a party without one */
  vatIds: { seller: string | null; buyer: string | null }
  /** ISO 8601, like all times below */
  paidAt: string
  /** empty for an order marked as paid manually */
  payments: ReceivedModel[]
  refunds: { at: string; amount: string }[]
  /** rest of the total; null without refunds */
  afterRefunds: string | null
  /** null if the order has none */
  invoiceUrl: string | null
}

export interface ReceivedModel {
  /** coin and network, such as "USDC on Ethereum", or the provider */
  method: string
  /** received amount, such as "25 USDC"; null for a single payment through a provider, which is the total */
  received: string | null
  /** value of a part, such as "$12.50"; null if unknown, or equal to the received amount */
  worth: string | null
  /** rate such as "1 USDC = $1.00" */
  rate: string | null
  at: string
  transaction: TransactionModel | null
}
