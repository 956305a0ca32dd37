import { describeOperation } from '../openapi/describe.ts'
import { PageOf } from '../schema/response-fields.ts'
import { RecordedRefund, Refund } from './response.ts'

export const recordRefund = describeOperation('recordRefund', {
  tag: 'Orders',
  summary: 'Record a refund',
  description:
    'Records a refund that was made elsewhere: no money is moved. Without `amount` it is all that remains. ' +
    'An order that was paid by force has no transaction and cannot be refunded.',
  access: { scope: 'orders:manage' },
  idempotencyKey: 'required',
  responses: {
    201: ['The refund was recorded.', RecordedRefund],
    200: ['The refund that was recorded before with this Idempotency-Key.', RecordedRefund],
  },
  refusals: ['not_found', 'order_not_refundable', 'idempotency_key_reused', 'refund_exceeds_remaining'],
})

export const listRefunds = describeOperation('listRefunds', {
  tag: 'Orders',
  summary: 'List the refunds of an order',
  description: 'Newest first.',
  access: { scope: 'api:read' },
  responses: { 200: ['A page of refunds.', PageOf(Refund)] },
  refusals: ['not_found'],
})
