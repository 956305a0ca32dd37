import { Type } from '@sinclair/typebox'
import { Order } from '../orders/response.ts'
import { Amount, Currency, DateTime, Uuid } from '../schema/fields.ts'
import { MerchantId } from '../schema/response-fields.ts'
import { StrictObject, UnicodeString } from '../schema/types.ts'
import { Payment } from '../transactions/response.ts'

const refund = {
  merchantId: '01981f5c-0a11-7b52-8c3d-4e5f60718293',
  refundId: '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
  orderUUID: '01981f5c-7d2a-7cc1-9f0e-2f6f2f9d3c55',
  transactionId: '01981f5e-13b4-7f00-9c77-6a5b4c3d2e1f',
  amount: '10.00',
  amountMinor: '1000',
  currency: 'USD',
  paymentMethodKey: 'crypto',
  reason: 'returned by the customer',
  status: 'RECORDED',
  createdBy: 'key:4fT8sKq0Zb',
  createdAt: '2026-11-21T14:00:00.000Z',
  updatedAt: '2026-11-21T14:00:00.000Z',
}

export const Refund = StrictObject(
  {
    merchantId: MerchantId,
    refundId: UnicodeString({ description: 'A hash of the merchant and the Idempotency-Key.' }),
    orderUUID: Uuid,
    transactionId: Uuid,
    amount: Amount,
    amountMinor: UnicodeString({ pattern: '^[0-9]+$', description: 'The amount in minor units.' }),
    currency: Currency,
    paymentMethodKey: UnicodeString(),
    reason: UnicodeString(),
    status: Type.Literal('RECORDED', {
      description: 'A bookkeeping record. It does not mean that Florin moved money.',
    }),
    createdBy: UnicodeString(),
    createdAt: DateTime,
    updatedAt: DateTime,
  },
  { title: 'Refund', examples: [refund] },
)

const refunded = {
  refundStatus: 'PARTIAL',
  refundedAmount: refund.amount,
  refundCount: '1',
  lastRefundedAt: refund.createdAt,
  updatedAt: refund.createdAt,
}
const paid = {
  status: 'PAID',
  provisioningStatus: 'SETTLED',
  paidTransactionUUID: refund.transactionId,
  paidAt: '2026-11-21T12:06:00.000Z',
}

export const RecordedRefund = Type.Object(
  { order: Order, transaction: Payment, refund: Refund },
  {
    examples: [
      {
        order: { ...Order.examples[0], ...paid, ...refunded },
        transaction: { ...Payment.examples[0], status: 'PARTIALLY_REFUNDED', ...refunded },
        refund,
      },
    ],
  },
)
