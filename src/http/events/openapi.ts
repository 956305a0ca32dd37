import { describeOperation } from '../openapi/describe.ts'
import { PageOf } from '../schema/response-fields.ts'
import { Event } from './response.ts'

const read = { scope: 'api:read' } as const

export const listEvents = describeOperation('listEvents', {
  tag: 'Events',
  summary: 'List events',
  description: 'Newest first. `status` is the status of the delivery.',
  access: read,
  responses: { 200: ['A page of events.', PageOf(Event)] },
})

export const getEvent = describeOperation('readEvent', {
  tag: 'Events',
  summary: 'Get an event',
  description: 'Includes every delivery attempt.',
  access: read,
  responses: { 200: ['The event.', Event] },
  refusals: ['not_found'],
})

export const redeliverEvent = describeOperation('redeliverEvent', {
  tag: 'Events',
  summary: 'Deliver an event again',
  description:
    'Queues the unchanged event for immediate delivery, whether or not an earlier delivery succeeded.',
  access: { scope: 'webhooks:write' },
  responses: { 202: ['The event will be delivered.', Event] },
  refusals: ['not_found', 'conflict'],
})
