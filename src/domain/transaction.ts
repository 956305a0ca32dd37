import type { FeePercent } from './fee.ts'
import type { Amount } from './money.ts'
import type { FeeCollectionStatus } from './order.ts'
import type { Refunded } from './refund-totals.ts'

export const transactionStatuses = ['PAID', 'PARTIALLY_REFUNDED', 'REFUNDED'] as const
export type TransactionStatus = (typeof transactionStatuses)[number]

/** The record of a verified settlement. What it shares with its order is the order's snapshot. */
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

/** Why a settlement was accepted: the rule, and the evidence word for word. */
export interface Settlement {
  orderId: string
  merchantId: string
  attemptId: string
  transactionId: string
  verdict: string
  rule: string
  evidence: import('./metadata.ts').Json
  createdAt: number
}
