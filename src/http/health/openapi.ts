import { describeOperation } from '../openapi/describe.ts'
import { Alive, Ready } from '../schema/envelope.ts'

export const isAlive = describeOperation('isAlive', {
  tag: 'Health',
  summary: 'Ask whether the process lives',
  access: 'public',
  responses: { 200: ['It does.', Alive] },
})

export const isReady = describeOperation('isReady', {
  tag: 'Health',
  summary: 'Ask whether it can serve',
  description: 'The database can be written and is migrated.',
  access: 'public',
  responses: { 200: ['It can.', Ready] },
  failures: { 503: 'The database is not ready.' },
})
