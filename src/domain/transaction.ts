import type { Attempt } from './attempt.ts'
import type { FeePercent } from './fee.ts'
import type { Json } from './metadata.ts'
import type { Amount } from './money.ts'
import type { FeeCollectionStatus, Order } from './order.ts'
import type { IncomingPayment } from './payment.ts'
import { notRefunded, type Refunded } from './refund-totals.ts'

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

interface PaidOrder {
  /** ID of the new transaction */
  id: string
  order: Order
  /** the attempt that completed the order, and all payments that count */
  attempt: Attempt
  payments: readonly IncomingPayment[]
  received: Pick<Transaction, 'receivedAmount' | 'receivedCurrency'>
  now: number
}

/** The transaction of an order that has just been paid, with what the completing attempt received. */
export function paidTransaction({ id, order, attempt, payments, received, now }: PaidOrder): Transaction {
  const { merchantId, amount, currency, feePercent, feeAmount, netAmount } = order
  const own = payments.filter(({ attemptId }) => attemptId === attempt.id)
  const txIn = own.find(incoming => incoming.txIn)?.txIn ?? null
  const txOut = own.find(incoming => incoming.txOut)?.txOut ?? null
  // Only the completing attempt decides: another payment of the order may have had a split.
  const isSplit = attempt.provider !== null && attempt.feeSplit
  return {
    id,
    merchantId,
    orderId: order.id,
    attemptId: attempt.id,
    transactionRef: txIn ?? txOut,
    methodKey: attempt.methodKey,
    amount,
    currency,
    feePercent,
    feeAmount,
    netAmount,
    feeCollection: isSplit ? 'PROVIDER_SPLIT' : 'ACCOUNTED_NOT_COLLECTED',
    receivingWallet: attempt.payoutAddress,
    ...received,
    txIn,
    txOut,
    status: 'PAID',
    ...notRefunded,
    paidAt: now,
    createdAt: now,
    updatedAt: now,
  }
}

/** The fields of an order that its transaction pays. */
export const paidBy = (transaction: Transaction, attempt: Attempt) => ({
  paidAt: transaction.paidAt,
  chosenMethod: attempt.methodKey,
  chosenAsset: attempt.assetId,
  transactionId: transaction.id,
  transactionRef: transaction.transactionRef,
  providerAddressIn: attempt.address,
  providerPayoutAddress: attempt.payoutAddress,
  providerTxIn: transaction.txIn,
  providerTxOut: transaction.txOut,
  receivedAmount: transaction.receivedAmount,
  receivedCurrency: transaction.receivedCurrency,
})

/** The record of why an order was settled: the rule that was applied, and the reported payments. */
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
