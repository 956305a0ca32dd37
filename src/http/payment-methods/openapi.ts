import { describeOperation } from '../openapi/describe.ts'
import { PaymentMethods } from './response.ts'

export const listPaymentMethods = describeOperation('listPaymentMethods', {
  tag: 'Merchant',
  summary: 'List the payment methods',
  description:
    'The methods that are available now, each with its minimum; "crypto" where crypto checkout is enabled. ' +
    'What the providers say is kept for an hour.',
  access: {},
  responses: { 200: ['The methods.', PaymentMethods] },
  refusals: ['provider_unavailable'],
})
