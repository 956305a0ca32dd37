import { describeOperation } from '../openapi/describe.ts'
import { PageOf } from '../schema/response-fields.ts'
import { CancelledOrder, Order } from './response.ts'

const read = { scope: 'api:read' } as const

export const createOrder = describeOperation('createOrder', {
  tag: 'Orders',
  summary: 'Create an order',
  description:
    'Makes an UNPAID order; give its `checkoutUrl` to the buyer. Either `amount`, `currency` and ' +
    '`paymentMethodsKeys` together, or `productUUID`, whose template fills what is left out. No provider ' +
    'is asked. Without an Idempotency-Key every request makes a new order.',
  access: { live: true, scope: 'orders:create' },
  idempotencyKey: 'optional',
  responses: {
    201: ['The order was made.', Order],
    200: ['The order that was made before with this Idempotency-Key and this body.', Order],
  },
  refusals: [
    'wallet_override_disabled',
    'customer_blocked',
    'idempotency_key_reused',
    'payout_wallet_required',
    'crypto_not_configured',
    'method_not_offered',
    'price_override_not_allowed',
    'product_not_available',
    'destination_not_allowed',
  ],
})

export const listOrders = describeOperation('listOrders', {
  tag: 'Orders',
  summary: 'List orders',
  description: 'Newest first.',
  access: read,
  responses: { 200: ['A page of orders.', PageOf(Order)] },
})

export const getOrder = describeOperation('readOrder', {
  tag: 'Orders',
  summary: 'Read an order',
  access: read,
  responses: { 200: ['The order.', Order] },
  refusals: ['not_found'],
})

export const cancelOrder = describeOperation('cancelOrder', {
  tag: 'Orders',
  summary: 'Cancel an order',
  description: 'Only an UNPAID order that no buyer has begun to pay.',
  access: { live: true, scope: 'orders:manage' },
  responses: { 200: ['The order was cancelled.', CancelledOrder] },
  refusals: ['not_found', 'order_not_cancellable'],
})
