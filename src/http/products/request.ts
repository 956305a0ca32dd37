import { Type } from '@sinclair/typebox'
import { IMAGE_TEXT_MAX } from '../../domain/image.ts'
import { DESCRIPTION_MAX, IMAGE_DISPLAY_MAX, IMAGE_DISPLAY_MIN, NAME_MAX } from '../../domain/product.ts'
import { Amount, Currency, MetadataObject, MethodKeys, paging, URL_MAX, Uuid } from '../schema/fields.ts'
import { Closed, Nullable, Optional, Text } from '../schema/types.ts'

const BULK_MAX = 50
const BULK_STATUS_MAX = 100

const name = Text({ minLength: 1, maxLength: NAME_MAX, examples: ['House blend, 1 kg'] })

const orderTemplate = Closed(
  {
    amount: Amount,
    currency: Currency,
    paymentMethodsKeys: MethodKeys,
    metadata: Optional(MetadataObject),
  },
  { title: 'ProductOrderTemplate' },
)

const optional = {
  description: Optional(Nullable(Text({ minLength: 1, maxLength: DESCRIPTION_MAX }))),
  imageUrl: Optional(
    Nullable(
      Text({
        format: 'uri',
        pattern: '^https?://',
        maxLength: URL_MAX,
        description: 'Null takes the image away. Not together with imageBase64.',
        examples: ['https://shop.example/blend.png'],
      }),
    ),
  ),
  imageBase64: Optional(
    Text({
      minLength: 1,
      maxLength: IMAGE_TEXT_MAX,
      description:
        'PNG, JPEG or WebP of exactly 800x800 pixels and at most 300 KB: Base64, or a data URI of it.',
    }),
  ),
  imageDisplaySize: Optional(Type.Integer({ minimum: IMAGE_DISPLAY_MIN, maximum: IMAGE_DISPLAY_MAX })),
  active: Optional(Type.Boolean()),
  allowPriceOverride: Optional(Type.Boolean()),
}

const created = { name, ...optional, orderTemplate }

const example = {
  name: 'House blend, 1 kg',
  description: 'Whole bean, roasted on Mondays',
  imageUrl: 'https://shop.example/blend.png',
  orderTemplate: { amount: '18.50', currency: 'EUR', paymentMethodsKeys: ['*'] },
}

export const CreateProduct = Closed(created, { title: 'CreateProduct', examples: [example] })
export const ChangeProduct = Closed(
  { name: Optional(name), ...optional, orderTemplate: Optional(orderTemplate) },
  { title: 'ChangeProduct', minProperties: 1, examples: [{ name: 'House blend, 500 g', active: false }] },
)

const bulk = { minItems: 1, maxItems: BULK_MAX }

export const CreateProducts = Closed({ items: Type.Array(CreateProduct, bulk) })
export const UpsertProducts = Closed({
  items: Type.Array(
    Closed(
      { productUUID: Uuid, ...created },
      {
        title: 'UpsertProduct',
        examples: [{ productUUID: '01981f5a-5500-7a1b-b2c3-d4e5f6071829', ...example }],
      },
    ),
    bulk,
  ),
})
export const ArchiveProducts = Closed({
  productUUIDs: Type.Array(Uuid, { minItems: 1, maxItems: BULK_STATUS_MAX, uniqueItems: true }),
  active: Type.Boolean({ description: 'False archives, true restores.', examples: [false] }),
})

export const ListProducts = Closed(paging)
