import { describeOperation } from '../openapi/describe.ts'
import { PageOf } from '../schema/response-fields.ts'
import { Event } from './response.ts'

const read = { scope: 'api:read' } as const

export const listEvents = describeOperation('listEvents', {
  tag: 'Events',
  summary: 'List events',
  description: 'Newest first; `status` is that of the delivery.',
  access: read,
  responses: { 200: ['A page of events.', PageOf(Event)] },
})

export const getEvent = describeOperation('readEvent', {
  tag: 'Events',
  summary: 'Read an event',
  description: 'With every attempt to deliver it.',
  access: read,
  responses: { 200: ['The event.', Event] },
  refusals: ['not_found'],
})

export const redeliverEvent = describeOperation('redeliverEvent', {
  tag: 'Events',
  summary: 'Deliver an event again',
  description: 'Sends it again now, as it was, also one that was delivered or given up.',
  access: { scope: 'webhooks:write' },
  responses: { 202: ['It is on its way.', Event] },
  refusals: ['not_found', 'conflict'],
})
