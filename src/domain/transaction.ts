import type { FeePercent } from './fee.ts'
import type { Json } from './metadata.ts'
import type { Amount } from './money.ts'
import type { FeeCollectionStatus } from './order.ts'
import type { Refunded } from './refund-totals.ts'

export const transactionStatuses = ['PAID', 'PARTIALLY_REFUNDED', 'REFUNDED'] as const
export type TransactionStatus = (typeof transactionStatuses)[number]

/** The record of a verified settlement, with a copy of the order's amounts and fees. */
export interface Transaction extends Refunded {
  id: string
  merchantId: string
  orderId: string
  attemptId: string
  transactionRef: string | null
  methodKey: string
  amount: Amount
  currency: string
  feePercent: FeePercent
  feeAmount: Amount
  netAmount: Amount
  feeCollection: FeeCollectionStatus
  receivingWallet: string
  receivedAmount: string
  receivedCurrency: string
  txIn: string | null
  txOut: string | null
  status: TransactionStatus
  paidAt: number
  createdAt: number
  updatedAt: number
}

/** Why an order was settled: the applied rule, and the reported payments. */
export interface Settlement {
  orderId: string
  merchantId: string
  attemptId: string
  transactionId: string
  verdict: string
  rule: string
  evidence: Json
  createdAt: number
}
