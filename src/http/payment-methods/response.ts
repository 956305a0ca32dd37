import { Type } from '@sinclair/typebox'
import { Amount, Currency } from '../schema/fields.ts'
import { StrictObject, UnicodeString } from '../schema/types.ts'

const PaymentMethod = StrictObject(
  {
    key: UnicodeString({ pattern: '^[a-z0-9][a-z0-9_-]*$' }),
    displayName: UnicodeString(),
    minimumAmount: Amount,
    minimumCurrency: Currency,
    status: Type.Literal('AVAILABLE'),
  },
  {
    title: 'PaymentMethod',
    examples: [
      {
        key: 'moonpay',
        displayName: 'MoonPay',
        minimumAmount: '20.00',
        minimumCurrency: 'USD',
        status: 'AVAILABLE',
      },
    ],
  },
)

export const PaymentMethods = Type.Object({
  paymentMethods: Type.Array(PaymentMethod),
  paymentMethodsKeys: Type.Array(UnicodeString({ examples: ['moonpay'] })),
})
