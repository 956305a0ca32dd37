import { describeOperation } from '../openapi/describe.ts'
import { PageOf } from '../schema/response-fields.ts'
import { RecordedRefund, Refund } from './response.ts'

export const recordRefund = describeOperation('recordRefund', {
  tag: 'Orders',
  summary: 'Record a refund',
  description:
    'Records a refund that you made elsewhere; Florin moves no money. Without `amount`, the refund is for ' +
    'everything that has not been refunded yet. An order that was marked as paid manually has no ' +
    'transaction and cannot be refunded.',
  access: { scope: 'orders:manage' },
  idempotencyKey: 'required',
  responses: {
    201: ['The refund was recorded.', RecordedRefund],
    200: ['The refund recorded by an earlier request with the same Idempotency-Key.', RecordedRefund],
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
