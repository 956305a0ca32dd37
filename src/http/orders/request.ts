import { orderStatuses } from '../../domain/order.ts'
import type { NewOrder } from '../../operations/orders/steps/parse-request.ts'
import { listed } from '../livemode.ts'
import {
  Amount,
  Currency,
  CustomerInput,
  DateTime,
  destinationRules,
  EvmAddress,
  ExternalId,
  MetadataObject,
  MethodKeys,
  paging,
  REASON,
  URL_MAX,
  Uuid,
  UuidParam,
} from '../schema/fields.ts'
import {
  DOCUMENTED,
  described,
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
  externalId: Optional(Nullable(ExternalId)),
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
    UnicodeString({
      maxLength: URL_MAX,
      description: 'The public HTTPS URL that the buyer returns to.',
      [DOCUMENTED]: destinationRules,
    }),
  ),
  expiresAt: Optional(DateTime),
  metadata: Optional(MetadataObject),
} satisfies FieldsOf<NewOrder>

const { productUUID, ...unpriced } = fields
/**
 * The two variants of a body, which say in different ways what is sold. The operation refuses any other body,
 * with a sentence for what is missing.
 */
const variants = [
  StrictObject(
    { ...unpriced, amount: Amount, currency: Currency, paymentMethodsKeys: MethodKeys },
    { title: 'CreateOrderOfAmount' },
  ),
  StrictObject(
    { ...fields, productUUID: Uuid },
    { title: 'CreateOrderOfProduct', dependentRequired: { amount: ['currency'], currency: ['amount'] } },
  ),
]

export const CreateOrder = StrictObject(fields, {
  title: 'CreateOrder',
  [DOCUMENTED]: { anyOf: variants },
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
  status: Optional(described('Only orders with this status.', OneOf(orderStatuses))),
  externalId: Optional(described('Only orders with this externalId.', ExternalId)),
  customerEmail: Optional(
    described('Only orders of this customer, in any case.', CustomerInput.properties.email),
  ),
  productUUID: Optional(described('Only orders of this product.', UuidParam)),
  createdFrom: Optional(described('Only orders created at this time or later.', DateTime)),
  createdTo: Optional(described('Only orders created before this time.', DateTime)),
  updatedFrom: Optional(
    described(
      'Only orders changed at this time or later. A page can then have fewer items than pageSize, or none, ' +
        'and still a nextPageToken: go on until there is none.',
      DateTime,
    ),
  ),
  ...listed,
  ...paging,
})

export const OrderParams = StrictObject({ orderUUID: described('The UUID of the order.', UuidParam) })
