import { orderStatuses } from '../../domain/order.ts'
import type { NewOrder } from '../../operations/orders/steps/parse-request.ts'
import {
  Amount,
  Currency,
  CustomerInput,
  DateTime,
  EvmAddress,
  ID_IN_WORDS,
  MetadataObject,
  MethodKeys,
  paging,
  REASON,
  URL_MAX,
  Uuid,
  UuidParam,
} from '../schema/fields.ts'
import {
  type FieldsOf,
  inWords,
  Nullable,
  OneOf,
  Optional,
  StrictObject,
  UnicodeString,
} from '../schema/types.ts'

const fields = {
  productUUID: Optional(Uuid),
  amount: Optional(Amount),
  currency: Optional(Currency),
  paymentMethodsKeys: Optional(MethodKeys),
  customer: CustomerInput,
  externalId: Optional(
    Nullable(
      UnicodeString({ minLength: 1, maxLength: 128, pattern: '^[A-Za-z0-9._:-]+$', [inWords]: ID_IN_WORDS }),
    ),
  ),
  receivingWallet: Optional(EvmAddress),
  description: Optional(
    UnicodeString({ minLength: 1, maxLength: 512, description: 'A product’s description takes precedence.' }),
  ),
  productImageUrl: Optional(
    UnicodeString({
      format: 'uri',
      pattern: '^https://',
      [inWords]: 'must begin with https://',
      maxLength: URL_MAX,
    }),
  ),
  returnUrl: Optional(
    UnicodeString({ maxLength: URL_MAX, description: 'The public HTTPS URL that the buyer returns to.' }),
  ),
  expiresAt: Optional(DateTime),
  metadata: Optional(MetadataObject),
} satisfies FieldsOf<NewOrder>

export const CreateOrder = StrictObject(fields, {
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
export const CancelOrder = StrictObject(
  { reason: Optional(UnicodeString(REASON)) },
  { title: 'CancelOrder', examples: [{ reason: 'no longer wanted' }] },
)

export const ListOrders = StrictObject({
  status: Optional(OneOf(orderStatuses)),
  externalId: Optional(UnicodeString({ minLength: 1, maxLength: 128 })),
  createdFrom: Optional(DateTime),
  createdTo: Optional(DateTime),
  ...paging,
})

export const OrderParams = StrictObject({ orderUUID: UuidParam })
