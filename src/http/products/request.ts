import { Type } from '@sinclair/typebox'
import { IMAGE_BASE64_MAX } from '../../domain/image.ts'
import { ONE_LINE, ONE_LINE_IN_WORDS } from '../../domain/name.ts'
import { DESCRIPTION_MAX, IMAGE_DISPLAY_MAX, IMAGE_DISPLAY_MIN, NAME_MAX } from '../../domain/product.ts'
import type { NewProduct, ProductInput } from '../../operations/products/steps/parse-request.ts'
import { Amount, Currency, MetadataObject, MethodKeys, paging, URL_MAX, Uuid } from '../schema/fields.ts'
import { type FieldsOf, inWords, Nullable, Optional, StrictObject, UnicodeString } from '../schema/types.ts'

const BULK_MAX = 50
const BULK_STATUS_MAX = 100

const name = UnicodeString({
  minLength: 1,
  maxLength: NAME_MAX,
  pattern: ONE_LINE,
  [inWords]: ONE_LINE_IN_WORDS,
  examples: ['House blend, 1 kg'],
})

const orderTemplate = StrictObject(
  {
    amount: Amount,
    currency: Currency,
    paymentMethodsKeys: MethodKeys,
    metadata: Optional(MetadataObject),
  } satisfies FieldsOf<NewProduct['orderTemplate']>,
  { title: 'ProductOrderTemplate' },
)

const fields = {
  name: Optional(name),
  description: Optional(Nullable(UnicodeString({ minLength: 1, maxLength: DESCRIPTION_MAX }))),
  imageUrl: Optional(
    Nullable(
      UnicodeString({
        format: 'uri',
        pattern: '^https?://',
        [inWords]: 'must begin with http:// or https://',
        maxLength: URL_MAX,
        description: 'The URL of an image; null removes the image. Not together with imageBase64.',
        examples: ['https://shop.example/blend.png'],
      }),
    ),
  ),
  imageBase64: Optional(
    UnicodeString({
      minLength: 1,
      maxLength: IMAGE_BASE64_MAX,
      description:
        'A PNG, JPEG or WebP image of exactly 800x800 pixels and at most 300 KB, as Base64 or as a data URI.',
    }),
  ),
  imageDisplaySize: Optional(Type.Integer({ minimum: IMAGE_DISPLAY_MIN, maximum: IMAGE_DISPLAY_MAX })),
  active: Optional(Type.Boolean()),
  allowPriceOverride: Optional(Type.Boolean()),
  orderTemplate: Optional(orderTemplate),
} satisfies FieldsOf<ProductInput>

const required = { name, orderTemplate }

const example = {
  name: 'House blend, 1 kg',
  description: 'Whole bean, roasted on Mondays',
  imageUrl: 'https://shop.example/blend.png',
  orderTemplate: { amount: '18.50', currency: 'EUR', paymentMethodsKeys: ['*'] },
}

export const CreateProduct = StrictObject(
  { ...fields, ...required },
  { title: 'CreateProduct', examples: [example] },
)
export const ChangeProduct = StrictObject(fields, {
  title: 'ChangeProduct',
  minProperties: 1,
  examples: [{ name: 'House blend, 500 g', active: false }],
})

const bulk = { minItems: 1, maxItems: BULK_MAX }

export const CreateProducts = StrictObject({ items: Type.Array(CreateProduct, bulk) })
export const UpsertProducts = StrictObject({
  items: Type.Array(
    StrictObject(
      { productUUID: Uuid, ...fields, ...required },
      {
        title: 'UpsertProduct',
        examples: [{ productUUID: '01981f5a-5500-7a1b-b2c3-d4e5f6071829', ...example }],
      },
    ),
    bulk,
  ),
})
export const ArchiveProducts = StrictObject({
  productUUIDs: Type.Array(Uuid, { minItems: 1, maxItems: BULK_STATUS_MAX, uniqueItems: true }),
  active: Type.Boolean({
    description: 'False archives the products, true restores them.',
    examples: [false],
  }),
})

export const ListProducts = StrictObject(paging)
