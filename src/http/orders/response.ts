import { Type } from '@sinclair/typebox'
import { orderStatuses } from '../../domain/order.ts'
import { provisioningStatuses } from '../../domain/session.ts'
import { taxCategories } from '../../domain/tax.ts'
import { marked } from '../livemode.ts'
import { Amount, DateTime, EvmAddress, Uuid } from '../schema/fields.ts'
import {
  customer,
  MerchantId,
  OfferedKeys,
  priced,
  received,
  refunded,
  Source,
  snapshot,
  Uri,
} from '../schema/response-fields.ts'
import { Nullable, OneOf, Optional, StrictObject, UnicodeString } from '../schema/types.ts'

const example = {
  merchantId: '01981f5c-0a11-7b52-8c3d-4e5f60718293',
  merchantEmail: 'owner@shop.example',
  merchantName: 'Corner Coffee',
  orderUUID: '01981f5c-7d2a-7cc1-9f0e-2f6f2f9d3c55',
  transactionRef: null,
  externalId: 'cart-1042',
  amount: '25.00',
  currency: 'USD',
  status: 'UNPAID',
  provisioningStatus: 'CREATED',
  expiresAt: '2026-11-22T12:00:00.000Z',
  customerId: '01981f5c-7d2a-7000-8a3b-1c2d3e4f5a6b',
  customerEmail: 'buyer@example.com',
  customerFullName: 'Sam Buyer',
  feePercent: '2.5',
  platformFeeAmount: '0.63',
  netAmount: '24.37',
  feeCollectionStatus: 'ACCOUNTED_NOT_COLLECTED',
  paymentMethodsKeys: ['*'],
  source: 'api',
  checkoutUrl: 'https://pay.shop.example/pay/01981f5c-7d2a-7cc1-9f0e-2f6f2f9d3c55',
  description: 'Two bags of house blend',
  returnUrl: 'https://shop.example/thanks',
  metadata: { cart: '1042' },
  createdAt: '2026-11-21T12:00:00.000Z',
  updatedAt: '2026-11-21T12:00:00.000Z',
}

const OrderTax = Type.Object(
  {
    country: Nullable(UnicodeString({ description: 'The country that the buyer stated.' })),
    vatId: Nullable(UnicodeString({ description: 'The VAT number that the buyer stated.' })),
    lines: Type.Array(
      Type.Object({
        category: OneOf(taxCategories),
        rate: UnicodeString({ pattern: '^[0-9]{1,2}([.][0-9]{1,2})?$', description: 'In percent.' }),
        net: Amount,
        tax: Amount,
      }),
      { description: 'One for each category of EN 16931 and rate. They add up to the amount.' },
    ),
  },
  {
    title: 'OrderTax',
    description: 'The tax that the amount contains. Missing if the shop had no tax settings.',
    examples: [
      { country: null, vatId: null, lines: [{ category: 'S', rate: '19', net: '21.01', tax: '3.99' }] },
    ],
  },
)

export const Order = Type.Object(
  {
    merchantId: MerchantId,
    merchantEmail: Optional(UnicodeString({ format: 'email' })),
    merchantName: Optional(UnicodeString()),
    orderUUID: Uuid,
    productUUID: Optional(Uuid),
    productName: Optional(UnicodeString({ description: 'The product’s name when the order was created.' })),
    transactionRef: Nullable(
      UnicodeString({ description: 'The provider’s reference, from a verified callback.' }),
    ),
    externalId: Nullable(UnicodeString()),
    ...priced,
    receivingWallet: Optional(EvmAddress),
    tax: Optional(OrderTax),
    status: OneOf(orderStatuses),
    provisioningStatus: Optional(OneOf(provisioningStatuses)),
    expiresAt: Optional(DateTime),
    ...customer,
    paymentMethodsKeys: OfferedKeys,
    source: Optional(Source),
    checkoutUrl: UnicodeString({ format: 'uri', description: 'The URL to send the buyer to.' }),
    directPaymentLink: Optional(
      UnicodeString({
        format: 'uri',
        description: 'Present only when the order offers exactly one provider.',
      }),
    ),
    providerAddressIn: Optional(UnicodeString()),
    providerPayoutAddress: Optional(UnicodeString()),
    providerTxIn: Optional(UnicodeString()),
    providerTxOut: Optional(UnicodeString()),
    ...received,
    paidTransactionUUID: Optional(UnicodeString()),
    paidAt: Optional(DateTime),
    forced: Optional(Type.Boolean({ description: 'True when the merchant marked the order as paid.' })),
    forcedAt: Optional(DateTime),
    forcedBy: Optional(UnicodeString()),
    forceReason: Optional(UnicodeString()),
    forcedProviderStatus: Optional(UnicodeString()),
    cancelledAt: Optional(DateTime),
    cancelledBy: Optional(UnicodeString()),
    cancelReason: Optional(UnicodeString({ maxLength: 500 })),
    ...refunded,
    ...snapshot,
    ...marked,
    createdAt: DateTime,
    updatedAt: DateTime,
  },
  { title: 'Order', examples: [example] },
)

export const CancelledOrder = Type.Object(
  { order: Order },
  {
    examples: [
      {
        order: {
          ...example,
          status: 'CANCELLED',
          provisioningStatus: 'ABANDONED',
          cancelledAt: '2026-11-21T12:04:00.000Z',
          cancelledBy: 'key:4fT8sKq0Zb',
          cancelReason: 'no longer wanted',
          updatedAt: '2026-11-21T12:04:00.000Z',
        },
      },
    ],
  },
)

export const StartedOrder = StrictObject(
  { orderUUID: Uuid, status: Type.Literal('UNPAID'), redirectUrl: Uri },
  {
    examples: [
      {
        orderUUID: example.orderUUID,
        status: 'UNPAID',
        redirectUrl: `https://pay.shop.example/pay/${example.orderUUID}`,
      },
    ],
  },
)
