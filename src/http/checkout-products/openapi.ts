import { describeOperation } from '../openapi/describe.ts'
import { StartedOrder } from '../orders/response.ts'
import { CheckoutProduct } from '../products/response.ts'

export const readCheckoutProduct = describeOperation('readCheckoutProduct', {
  tag: 'Checkout',
  summary: 'Read a product as a buyer sees it',
  description: 'Archived products, and those of suspended merchants, are not found.',
  access: 'rate-limited',
  responses: { 200: ['The product.', CheckoutProduct] },
  refusals: ['not_found'],
})

export const startProductOrder = describeOperation('startProductOrder', {
  tag: 'Checkout',
  summary: 'Order a product as a buyer',
  description: 'Send the browser to `redirectUrl`.',
  access: 'rate-limited',
  responses: { 201: ['The order was made.', StartedOrder] },
  refusals: [
    'customer_blocked',
    'not_found',
    'method_not_offered',
    'price_override_not_allowed',
    'payout_wallet_required',
    'crypto_not_configured',
  ],
})
