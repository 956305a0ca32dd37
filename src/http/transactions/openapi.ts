import { describeOperation } from '../openapi/describe.ts'
import { PageOf } from '../schema/response-fields.ts'
import { Payment } from './response.ts'

const read = { scope: 'api:read' } as const

export const listTransactions = describeOperation('listTransactions', {
  tag: 'Transactions',
  summary: 'List transactions',
  description: 'Newest first. An order that was marked as paid manually has no transaction.',
  access: read,
  responses: { 200: ['A page of transactions.', PageOf(Payment)] },
})

export const getTransaction = describeOperation('readTransaction', {
  tag: 'Transactions',
  summary: 'Get a transaction',
  access: read,
  responses: { 200: ['The transaction.', Payment] },
  refusals: ['not_found'],
})
