import { minorOf } from '../domain/money.ts'
import type { Refund } from '../domain/refund.ts'
import { shopOf } from '../domain/test-shop.ts'
import { formatTimestamp } from '../domain/timestamp.ts'

/** A refund never changes, so updatedAt equals createdAt. */
export const presentRefund = (refund: Refund) => ({
  merchantId: shopOf(refund.merchantId),
  refundId: refund.id,
  orderUUID: refund.orderId,
  transactionId: refund.transactionId,
  amount: refund.amount,
  amountMinor: minorOf(refund.amount, refund.currency).toString(),
  currency: refund.currency,
  paymentMethodKey: refund.methodKey,
  reason: refund.reason,
  status: 'RECORDED' as const,
  createdBy: refund.createdBy,
  createdAt: formatTimestamp(refund.createdAt),
  updatedAt: formatTimestamp(refund.createdAt),
})
