import { describeOperation } from '../openapi/describe.ts'
import { StartedOrder } from '../orders/response.ts'
import { CheckoutProduct } from '../products/response.ts'

export const readCheckoutProduct = describeOperation('readCheckoutProduct', {
  tag: 'Checkout',
  summary: 'Get a product as buyers see it',
  description: 'Archived products and products of suspended merchants return 404.',
  access: 'rate-limited',
  responses: { 200: ['The product.', CheckoutProduct] },
  refusals: ['not_found'],
})

export const startProductOrder = describeOperation('startProductOrder', {
  tag: 'Checkout',
  summary: 'Create an order for a product',
  description:
    'Send the buyer’s browser to `redirectUrl`, the page of the order. It shows the result of the payment.',
  access: 'rate-limited',
  responses: { 201: ['The order was created.', StartedOrder] },
  refusals: [
    'customer_blocked',
    'not_found',
    'method_not_offered',
    'price_override_not_allowed',
    'payout_wallet_required',
    'crypto_not_configured',
  ],
})
