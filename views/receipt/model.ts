import type { TransactionModel } from '../parts.ts'
import type { ShopModel } from '../shop.ts'

/** The content of a receipt, already formatted. */
export interface ReceiptModel {
  orderId: string
  shop: ShopModel
  /** the merchant's ID of the order, or the end of ours */
  reference: string
  /** the purchased item; null if the order does not name it */
  item: string | null
  total: string
  /** what the total contains, or why it contains no tax; empty in a shop without tax settings */
  tax: readonly string[]
  /** of the shop and of the buyer; null for those without */
  vatIds: { seller: string | null; buyer: string | null }
  /** ISO 8601, like all times below */
  paidAt: string
  /** empty for an order marked as paid manually */
  payments: ReceivedModel[]
  refunds: { at: string; amount: string }[]
  /** what is left of the total; null without refunds */
  afterRefunds: string | null
  /** null if the order has none */
  invoiceUrl: string | null
}

export interface ReceivedModel {
  /** "USDC on Ethereum", or the provider */
  method: string
  /** "25 USDC"; null for a single payment through a provider, which is the total */
  received: string | null
  /** "$12.50" of an order paid in several parts; null if unknown, or equal to the received amount */
  worth: string | null
  /** "1 USDC = $1.00" */
  rate: string | null
  at: string
  transaction: TransactionModel | null
}
