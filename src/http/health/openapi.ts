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
  description: 'Ready means that the database is migrated and writable.',
  access: 'public',
  responses: { 200: ['The server is ready.', Ready] },
  failures: { 503: 'The database is not ready.' },
})
