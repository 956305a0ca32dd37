import { describeOperation } from '../openapi/describe.ts'
import { Order } from '../orders/response.ts'

export const createTestOrder = describeOperation('createTestOrder', {
  tag: 'Orders',
  summary: 'Create a test order',
  description:
    'Creates an order that no money can be paid to, from the body of POST /v1/orders. Open its ' +
    '`checkoutUrl` and choose what happens to it: paid, paid in part, too much, late, failed, expired or ' +
    'refunded. Webhooks with the mode `test` or `both` get its events, the webhook of PUT /v1/webhook does ' +
    'not. Lists show test orders only with `livemode=false`; reports, invoices and exports never do.',
  access: { test: true, scope: 'orders:create' },
  idempotencyKey: 'optional',
  responses: {
    201: ['The test order was created.', Order],
    200: ['The test order created by an earlier request with the same Idempotency-Key and body.', Order],
  },
  refusals: [
    'wallet_override_disabled',
    'idempotency_key_reused',
    'method_not_offered',
    'price_override_not_allowed',
    'product_not_available',
    'destination_not_allowed',
  ],
})
