import { type TSchema, Type } from '@sinclair/typebox'
import { Amount, Currency, DateTime, FeePercent, MetadataObject, Uuid } from './fields.ts'
import { OneOf, Optional, StrictObject, UnicodeString } from './types.ts'

export const Uri = UnicodeString({ format: 'uri' })
export const MerchantId = UnicodeString({ examples: ['01981f5c-0a11-7b52-8c3d-4e5f60718293'] })

/** Fields that an order shares with its transaction. */
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
  customerEmail: UnicodeString({ format: 'email' }),
  customerFullName: UnicodeString(),
}
export const received = {
  receivedAmount: Optional(
    UnicodeString({ description: 'The amount that arrived, in receivedCurrency.', examples: ['24.998'] }),
  ),
  receivedCurrency: Optional(
    UnicodeString({
      description:
        'The ID of the coin that arrived, such as "ethereum/usdc". An ISO 4217 code, such as "USD", for a ' +
        'payment through a provider that reports money.',
      examples: ['ethereum/usdc'],
    }),
  ),
}
export const Source = OneOf(['api', 'web'])
export const snapshot = {
  description: Optional(UnicodeString()),
  productImageUrl: Optional(Uri),
  returnUrl: Optional(Uri),
  metadata: Optional(MetadataObject),
}
export const refunded = {
  refundStatus: Optional(OneOf(['PARTIAL', 'FULL'])),
  refundedAmount: Optional(Amount),
  refundCount: Optional(UnicodeString({ pattern: '^[0-9]+$' })),
  lastRefundedAt: Optional(DateTime),
  refundedAt: Optional(DateTime),
}

export const OfferedKeys = Type.Array(UnicodeString({ pattern: '^([*]|[a-z0-9][a-z0-9_-]{0,63})$' }), {
  title: 'OfferedKeys',
  uniqueItems: true,
  description: 'Method keys, or only "*" when every available method is offered.',
  examples: [['*']],
})

export const PageOf = <Item extends TSchema>(item: Item) =>
  StrictObject({
    items: Type.Array(item),
    nextPageToken: Optional(
      UnicodeString({
        minLength: 1,
        maxLength: 2048,
        description: 'Send it as pageToken to get the next page. The last page has none.',
        examples: ['MTc5NTI2MjQwMDAwMC4wMTk4MWY1Yy03ZDJhLTdjYzE'],
      }),
    ),
  })
