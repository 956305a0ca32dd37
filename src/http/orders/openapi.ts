import { describeOperation } from '../openapi/describe.ts'
import { PageOf } from '../schema/response-fields.ts'
import { CancelledOrder, Order } from './response.ts'

const read = { scope: 'api:read' } as const

export const createOrder = describeOperation('createOrder', {
  tag: 'Orders',
  summary: 'Create an order',
  description:
    'Creates an UNPAID order. Send the buyer to its `checkoutUrl`. The request needs either `amount`, ' +
    '`currency` and `paymentMethodsKeys`, or `productUUID`: the product’s template fills in what you leave ' +
    'out. Without an Idempotency-Key, every request creates a new order.',
  access: { live: true, scope: 'orders:create' },
  idempotencyKey: 'optional',
  responses: {
    201: ['The order was created.', Order],
    200: ['The order created by an earlier request with the same Idempotency-Key and body.', Order],
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
  summary: 'Get an order',
  access: read,
  responses: { 200: ['The order.', Order] },
  refusals: ['not_found'],
})

export const cancelOrder = describeOperation('cancelOrder', {
  tag: 'Orders',
  summary: 'Cancel an order',
  description: 'Only an UNPAID order can be cancelled, and only before a buyer has started a payment.',
  access: { live: true, scope: 'orders:manage' },
  login: 'staff',
  responses: { 200: ['The order was cancelled.', CancelledOrder] },
  refusals: ['not_found', 'order_not_cancellable'],
})
