import type { Amount } from '../../domain/money.ts'
import type { SettledPart } from '../../domain/settlement-evidence.ts'
import type { OrderTax } from '../../domain/tax.ts'

/** A movement of money, for the accounts of a merchant. */
export interface Movement {
  type: 'payment' | 'shortfall' | 'excess' | 'fee' | 'refund' | 'unmatched' | 'forced' | 'network_fee'
  at: number
  /** ID of the transaction, refund, unmatched payment, forced order or transfer */
  id: string
  /** null for a network's fee for moving funds, which concerns many orders */
  orderId: string | null
  externalId: string | null
  customerEmail: string
  customerFullName: string
  productName: string | null
  description: string | null
  /**
   * the amount in the currency of the order, negative for shortfalls, fees and refunds; null if the value of
   * a coin is unknown. A network's fee is in the currency of the shop.
   */
  amount: Amount | null
  /** the value of what arrived: the amount less its shortfall, or more by its excess; null if unknown */
  worth: Amount | null
  /** tax of the order, with the lines for the amount of this row */
  tax: OrderTax | null
  currency: string
  feePercent: string | null
  feeAmount: Amount | null
  /**
   * the amount after the operator's fee; null for that fee, which the payment's row already contains, and if
   * no payment is known
   */
  net: Amount | null
  /** null, like the asset, for an order marked as paid manually */
  methodKey: string | null
  /** name of the method at its use; for a coin at the merchant's own address, the coin's name */
  methodName: string | null
  /** null for a charge in a currency */
  network: string | null
  assetId: string | null
  /** null for a currency, and for a coin that is no longer known */
  assetName: string | null
  /** received amount, in the coin or currency; negative if a refund sent it back or a network took it */
  received: string | null
  receivedIn: string | null
  /** all that arrived for an order that was paid in several ways; else empty */
  parts: readonly SettledPart[]
  rate: string | null
  rateAt: number | null
  rateSources: readonly string[]
  txIn: string | null
  txOut: string | null
  /** reason of a refund or an acceptance; or why a payment is unmatched, or an order was marked as paid */
  reason: string | null
}
