import { describeOperation } from '../openapi/describe.ts'
import { Alive, Ready } from '../schema/envelope.ts'

export const isAlive = describeOperation('isAlive', {
  tag: 'Health',
  summary: 'Check that the process is running',
  access: 'public',
  responses: { 200: ['The process is running.', Alive] },
})

export const isReady = describeOperation('isReady', {
  tag: 'Health',
  summary: 'Check that the server is ready',
  description: 'Ready means that the database is migrated and was written to within the last 5 seconds.',
  access: 'public',
  responses: { 200: ['The server is ready.', Ready] },
  refusals: ['storage_unavailable'],
})
