import { describeOperation } from '../openapi/describe.ts'
import { PaymentMethods } from './response.ts'

export const listPaymentMethods = describeOperation('listPaymentMethods', {
  tag: 'Merchant',
  summary: 'List the payment methods',
  description:
    'The methods that are available now, each with its minimum amount. The list includes `crypto` when ' +
    'crypto checkout is enabled. The list of providers is cached for an hour.',
  access: {},
  responses: { 200: ['The payment methods.', PaymentMethods] },
  refusals: ['provider_unavailable'],
})
