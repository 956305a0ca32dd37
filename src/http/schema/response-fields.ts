import { type TSchema, Type } from '@sinclair/typebox'
import { Amount, Currency, DateTime, FeePercent, MetadataObject, Uuid } from './fields.ts'
import { Closed, OneOf, Optional, Text } from './types.ts'

export const Uri = Text({ format: 'uri' })
export const MerchantId = Text({ examples: ['01981f5c-0a11-7b52-8c3d-4e5f60718293'] })

/** What a price, a customer, an origin and a refund look like, on an order as on its transaction. */
export const priced = {
  amount: Amount,
  currency: Currency,
  feePercent: FeePercent,
  platformFeeAmount: Amount,
  netAmount: Amount,
  feeCollectionStatus: OneOf(['PROVIDER_SPLIT', 'ACCOUNTED_NOT_COLLECTED']),
}
export const customer = {
  customerId: Uuid,
  customerEmail: Text({ format: 'email' }),
  customerFullName: Text(),
}
export const Source = OneOf(['api', 'web'])
export const snapshot = {
  description: Optional(Text()),
  productImageUrl: Optional(Uri),
  returnUrl: Optional(Uri),
  metadata: Optional(MetadataObject),
}
export const refunded = {
  refundStatus: Optional(OneOf(['PARTIAL', 'FULL'])),
  refundedAmount: Optional(Amount),
  refundCount: Optional(Text({ pattern: '^[0-9]+$' })),
  lastRefundedAt: Optional(DateTime),
  refundedAt: Optional(DateTime),
}

export const OfferedKeys = Type.Array(Text({ pattern: '^([*]|[a-z0-9][a-z0-9_-]{0,63})$' }), {
  title: 'OfferedKeys',
  uniqueItems: true,
  description: 'Concrete method keys, or "*" alone where every available method is offered.',
  examples: [['*']],
})

/** A page of a list. */
export const PageOf = (item: TSchema) =>
  Closed({
    items: Type.Array(item),
    nextPageToken: Optional(
      Text({
        minLength: 1,
        maxLength: 2048,
        description: 'Asks for the next page; left out on the last.',
        examples: ['MTc5NTI2MjQwMDAwMC4wMTk4MWY1Yy03ZDJhLTdjYzE'],
      }),
    ),
  })
