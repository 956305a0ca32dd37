import { isMethodKey } from '../../domain/payment-methods.ts'
import type { NewProductOrder } from '../../operations/orders/create-from-product.ts'
import { Amount, Currency, CustomerInput, methodKeyRules, UuidParam } from '../schema/fields.ts'
import {
  DOCUMENTED,
  defineFormat,
  described,
  type FieldsOf,
  inWords,
  Optional,
  StrictObject,
  UnicodeString,
} from '../schema/types.ts'

defineFormat('method-key', isMethodKey)

export const ProductParams = StrictObject({ productUUID: described('The UUID of the product.', UuidParam) })

const fields = {
  customer: CustomerInput,
  paymentMethodKey: UnicodeString({
    pattern: '^[a-z0-9][a-z0-9_-]{0,63}$',
    [inWords]: 'must be the key of a payment method, such as crypto',
    format: 'method-key',
    [DOCUMENTED]: methodKeyRules,
    description: 'The key of one payment method that the product offers; "all" and "hosted" are not keys.',
    examples: ['crypto'],
  }),
  amount: Optional(Amount),
  currency: Optional(Currency),
} satisfies FieldsOf<NewProductOrder>

export const CreateProductOrder = StrictObject(fields, {
  title: 'CreateProductOrder',
  examples: [{ customer: { email: 'buyer@example.com', fullName: 'Sam Buyer' }, paymentMethodKey: 'crypto' }],
})
