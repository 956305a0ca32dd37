import { Type } from '@sinclair/typebox'
import { IMAGE_DISPLAY_MAX, IMAGE_DISPLAY_MIN } from '../../domain/product.ts'
import { Amount, Currency, DateTime, MetadataObject, Uuid } from '../schema/fields.ts'
import { MerchantId, OfferedKeys, Uri } from '../schema/response-fields.ts'
import { Nullable, Optional, StrictObject, UnicodeString } from '../schema/types.ts'

const id = '01981f5a-5500-7a1b-b2c3-d4e5f6071829'
const checkoutUrl = `https://pay.shop.example/checkout/${id}`
const shown = {
  name: 'House blend, 1 kg',
  description: 'Whole bean, roasted on Mondays',
  imageUrl: 'https://shop.example/blend.png',
  imageDisplaySize: 512,
}
const instant = '2026-11-21T12:00:00.000Z'

const display = {
  name: UnicodeString(),
  description: Nullable(UnicodeString()),
  imageUrl: Nullable(
    UnicodeString({
      pattern: '^(https?://|data:image/)',
      description: 'A URL, or a data URI for an uploaded image.',
    }),
  ),
  imageDisplaySize: Type.Integer({ minimum: IMAGE_DISPLAY_MIN, maximum: IMAGE_DISPLAY_MAX }),
}

export const Product = Type.Object(
  {
    productUUID: Uuid,
    merchantId: MerchantId,
    checkoutUrl: Uri,
    ...display,
    active: Type.Boolean({ description: 'False for an archived product.' }),
    allowPriceOverride: Type.Boolean(),
    orderTemplate: StrictObject({
      amount: Amount,
      currency: Currency,
      paymentMethodsKeys: OfferedKeys,
      metadata: Optional(MetadataObject),
    }),
    createdAt: DateTime,
    updatedAt: DateTime,
  },
  {
    title: 'Product',
    examples: [
      {
        productUUID: id,
        merchantId: '01981f5c-0a11-7b52-8c3d-4e5f60718293',
        checkoutUrl,
        ...shown,
        active: true,
        allowPriceOverride: true,
        orderTemplate: { amount: '18.50', currency: 'EUR', paymentMethodsKeys: ['*'], metadata: {} },
        createdAt: instant,
        updatedAt: instant,
      },
    ],
  },
)

export const CheckoutProduct = StrictObject(
  {
    productUUID: Uuid,
    merchantName: UnicodeString(),
    ...display,
    allowPriceOverride: Type.Boolean(),
    amount: Amount,
    currency: Currency,
    paymentMethodsKeys: OfferedKeys,
    checkoutUrl: Uri,
  },
  {
    title: 'CheckoutProduct',
    examples: [
      {
        productUUID: id,
        merchantName: 'Corner Coffee',
        ...shown,
        allowPriceOverride: true,
        amount: '18.50',
        currency: 'EUR',
        paymentMethodsKeys: ['*'],
        checkoutUrl,
      },
    ],
  },
)

const stored = (max: number) => Type.Array(Product, { minItems: 1, maxItems: max })
const count = (minimum: number, maximum: number) => Type.Integer({ minimum, maximum, examples: [minimum] })

export const CreatedProducts = Type.Object({ items: stored(50), createdCount: count(1, 50) })
export const UpsertedProducts = Type.Object({
  items: stored(50),
  createdCount: count(0, 50),
  updatedCount: Type.Integer({ minimum: 0, maximum: 50, examples: [1] }),
})
export const ArchivedProducts = Type.Object({
  items: stored(100),
  updatedCount: count(1, 100),
  active: Type.Boolean({ examples: [true] }),
})
