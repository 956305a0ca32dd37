import type { TransactionModel } from '../parts.ts'
import type { ShopModel } from '../shop.ts'

/** What a receipt shows, already formatted. */
export interface ReceiptModel {
  orderId: string
  shop: ShopModel
  /** the merchant's id for the order, or the end of ours */
  reference: string
  /** what was bought; null if the order does not say */
  item: string | null
  total: string
  /** ISO 8601, like every time below */
  paidAt: string
  /** empty for an order that was marked as paid manually */
  payments: ReceivedModel[]
  refunds: { at: string; amount: string }[]
  /** what is left of the total; null without refunds */
  afterRefunds: string | null
}

export interface ReceivedModel {
  /** "USDC on Ethereum", or the provider */
  method: string
  /** "25 USDC"; null for the only payment through a provider, which is the total */
  received: string | null
  /** "$12.50" of an order that was paid in several parts; null if it is not known, or is what was received */
  worth: string | null
  /** "1 USDC = $1.00" */
  rate: string | null
  at: string
  transaction: TransactionModel | null
}
