import { shopOf } from '../domain/test-shop.ts'
import { formatTimestamp } from '../domain/timestamp.ts'
import type { TransactionView } from '../operations/transactions/read.ts'
import { imageUrl, markOf, present, presentRefunded } from './order.ts'

/** A transaction, with the data that it shares with its order. */
export const presentTransaction = (
  { transaction, order, merchant }: TransactionView,
  checkoutUrl: string,
) => ({
  merchantId: shopOf(transaction.merchantId),
  tenantId: merchant.email,
  orderUUID: order.id,
  productUUID: present(order.productId),
  productName: present(order.productName),
  transactionRef: transaction.transactionRef,
  transactionId: transaction.id,
  transactionUUID: transaction.id,
  externalId: order.externalId,
  amount: transaction.amount,
  currency: transaction.currency,
  feePercent: transaction.feePercent,
  platformFeeAmount: transaction.feeAmount,
  netAmount: transaction.netAmount,
  feeCollectionStatus: transaction.feeCollection,
  paymentMethodsKeys: order.methodKeys,
  source: order.source,
  customerId: order.customerId,
  customerEmail: order.customerEmail,
  customerFullName: order.customerFullName,
  description: present(order.description),
  productImageUrl: present(imageUrl(order.productImageUrl, checkoutUrl)),
  returnUrl: present(order.returnUrl),
  metadata: order.metadata,
  receivingWallet: transaction.receivingWallet,
  status: transaction.status,
  ...presentRefunded(transaction),
  providerTxIn: present(transaction.txIn),
  providerTxOut: present(transaction.txOut),
  receivedAmount: transaction.receivedAmount,
  receivedCurrency: transaction.receivedCurrency,
  livemode: markOf(transaction),
  createdAt: formatTimestamp(transaction.createdAt),
  updatedAt: formatTimestamp(transaction.updatedAt),
  expiresAt: formatTimestamp(order.expiresAt),
  paidAt: formatTimestamp(transaction.paidAt),
})
