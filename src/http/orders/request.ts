import type { Static } from '@sinclair/typebox'
import { orderStatuses } from '../../domain/order.ts'
import {
  Amount,
  Currency,
  CustomerInput,
  DateTime,
  EvmAddress,
  MetadataObject,
  MethodKeys,
  paging,
  REASON,
  URL_MAX,
  Uuid,
} from '../schema/fields.ts'
import { Closed, Nullable, OneOf, Optional, Text } from '../schema/types.ts'

const members = {
  productUUID: Optional(Uuid),
  amount: Optional(Amount),
  currency: Optional(Currency),
  paymentMethodsKeys: Optional(MethodKeys),
  customer: CustomerInput,
  externalId: Optional(Nullable(Text({ minLength: 1, maxLength: 128, pattern: '^[A-Za-z0-9._:-]+$' }))),
  receivingWallet: Optional(EvmAddress),
  description: Optional(
    Text({ minLength: 1, maxLength: 512, description: 'A product’s own stays authoritative.' }),
  ),
  productImageUrl: Optional(Text({ format: 'uri', pattern: '^https://', maxLength: URL_MAX })),
  returnUrl: Optional(
    Text({ maxLength: URL_MAX, description: 'A public https URL that the buyer is sent back to.' }),
  ),
  expiresAt: Optional(DateTime),
  metadata: Optional(MetadataObject),
}
export const CreateOrder = Closed(members, {
  title: 'CreateOrder',
  examples: [
    {
      amount: '25.00',
      currency: 'USD',
      paymentMethodsKeys: ['*'],
      customer: { email: 'buyer@example.com', fullName: 'Sam Buyer' },
      externalId: 'cart-1042',
      description: 'Two bags of house blend',
      returnUrl: 'https://shop.example/thanks',
      metadata: { cart: '1042' },
    },
  ],
})
export type CreateOrder = Static<typeof CreateOrder>

export const CancelOrder = Closed(
  { reason: Optional(Text(REASON)) },
  { title: 'CancelOrder', examples: [{ reason: 'no longer wanted' }] },
)

export const ListOrders = Closed({
  status: Optional(OneOf(orderStatuses)),
  externalId: Optional(Text({ minLength: 1, maxLength: 128 })),
  createdFrom: Optional(DateTime),
  createdTo: Optional(DateTime),
  ...paging,
})

export const OrderParams = Closed({ orderUUID: Uuid })
