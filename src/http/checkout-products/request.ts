import { isMethodKey } from '../../domain/payment-methods.ts'
import { Amount, Currency, CustomerInput, Uuid } from '../schema/fields.ts'
import { Closed, defineFormat, Optional, Text } from '../schema/types.ts'

defineFormat('method-key', isMethodKey)

export const ProductParams = Closed({ productUUID: Uuid })

const members = {
  customer: CustomerInput,
  paymentMethodKey: Text({
    pattern: '^[a-z0-9][a-z0-9_-]{0,63}$',
    format: 'method-key',
    description: 'One concrete method of the product, never "all" or "hosted".',
    examples: ['crypto'],
  }),
  amount: Optional(Amount),
  currency: Optional(Currency),
}
export const CreateProductOrder = Closed(members, {
  title: 'CreateProductOrder',
  examples: [{ customer: { email: 'buyer@example.com', fullName: 'Sam Buyer' }, paymentMethodKey: 'crypto' }],
})
