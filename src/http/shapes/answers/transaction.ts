import { Type } from '@sinclair/typebox'
import { transactionStatuses } from '../../../domain/transaction.ts'
import { Nullable, OneOf, Optional, Text } from '../kit.ts'
import { DateTime, Uuid } from '../shared.ts'
import { customer, MerchantId, OfferedKeys, priced, refunded, Source, snapshot } from './shared.ts'

const example = {
  merchantId: '01981f5c-0a11-7b52-8c3d-4e5f60718293',
  tenantId: 'owner@shop.example',
  orderUUID: '01981f5c-7d2a-7cc1-9f0e-2f6f2f9d3c55',
  transactionRef: 'pg_71c2f0',
  transactionId: '01981f5e-13b4-7f00-9c77-6a5b4c3d2e1f',
  transactionUUID: '01981f5e-13b4-7f00-9c77-6a5b4c3d2e1f',
  externalId: 'cart-1042',
  amount: '25.00',
  currency: 'USD',
  feePercent: '2.5',
  platformFeeAmount: '0.63',
  netAmount: '24.37',
  feeCollectionStatus: 'ACCOUNTED_NOT_COLLECTED',
  paymentMethodsKeys: ['*'],
  source: 'api',
  customerId: '01981f5c-7d2a-7000-8a3b-1c2d3e4f5a6b',
  customerEmail: 'buyer@example.com',
  customerFullName: 'Sam Buyer',
  metadata: { cart: '1042' },
  receivingWallet: '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed',
  status: 'PAID',
  receivedAmount: '25.00',
  receivedCurrency: 'USDC',
  createdAt: '2026-11-21T12:06:00.000Z',
  updatedAt: '2026-11-21T12:06:00.000Z',
  expiresAt: '2026-11-22T12:00:00.000Z',
  paidAt: '2026-11-21T12:06:00.000Z',
}

/** Spec 2.3. */
export const Payment = Type.Object(
  {
    merchantId: MerchantId,
    tenantId: Text({ format: 'email' }),
    orderUUID: Uuid,
    productUUID: Optional(Uuid),
    productName: Optional(Text()),
    transactionRef: Nullable(Text()),
    transactionId: Uuid,
    transactionUUID: Text({ format: 'uuid', description: 'The same as transactionId.' }),
    externalId: Nullable(Text()),
    ...priced,
    paymentMethodsKeys: OfferedKeys,
    source: Source,
    ...customer,
    ...snapshot,
    receivingWallet: Text({ description: 'The payout address that the settlement goes to.' }),
    status: OneOf(transactionStatuses),
    ...refunded,
    providerTxIn: Optional(Text()),
    providerTxOut: Optional(Text()),
    receivedAmount: Optional(Text()),
    receivedCurrency: Optional(Text()),
    createdAt: DateTime,
    updatedAt: DateTime,
    expiresAt: DateTime,
    paidAt: Optional(DateTime),
  },
  { title: 'Payment', examples: [example] },
)
