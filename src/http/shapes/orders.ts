import type { Static } from '@sinclair/typebox'
import { orderStatuses } from '../../domain/order.ts'
import { Closed, Nullable, OneOf, Optional, Text } from './kit.ts'
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
} from './shared.ts'

export const CreateOrder = Closed({
  productUUID: Optional(Uuid),
  amount: Optional(Amount),
  currency: Optional(Currency),
  paymentMethodsKeys: Optional(MethodKeys),
  customer: CustomerInput,
  externalId: Optional(Nullable(Text({ minLength: 1, maxLength: 128, pattern: '^[A-Za-z0-9._:-]+$' }))),
  receivingWallet: Optional(EvmAddress),
  description: Optional(Text({ minLength: 1, maxLength: 512 })),
  productImageUrl: Optional(Text({ format: 'uri', pattern: '^https://', maxLength: URL_MAX })),
  returnUrl: Optional(Text({ maxLength: URL_MAX })),
  expiresAt: Optional(DateTime),
  metadata: Optional(MetadataObject),
})
export type CreateOrder = Static<typeof CreateOrder>

export const CancelOrder = Closed({ reason: Optional(Text(REASON)) })

export const ListOrders = Closed({
  status: Optional(OneOf(orderStatuses)),
  externalId: Optional(Text({ minLength: 1, maxLength: 128 })),
  createdFrom: Optional(DateTime),
  createdTo: Optional(DateTime),
  ...paging,
})

export const OrderParams = Closed({ orderUUID: Uuid })
