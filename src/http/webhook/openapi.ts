import { Type } from '@sinclair/typebox'
import { describeOperation } from '../openapi/describe.ts'
import { NewWebhook, Webhook } from './response.ts'

export const getWebhook = describeOperation('readWebhook', {
  tag: 'Merchant',
  summary: 'Read the webhook',
  description: 'Also where none is configured, which it says.',
  access: { scope: 'api:read' },
  responses: { 200: ['The webhook.', Webhook] },
})

export const changeWebhook = describeOperation('changeWebhook', {
  tag: 'Merchant',
  summary: 'Set the webhook’s URL',
  description:
    'Keeps the signing secret and the subscribed events; a disabled webhook is active again. The first ' +
    'time the answer tells the signing secret, which cannot be read later.',
  access: { live: true, scope: 'webhooks:write' },
  responses: {
    200: ['The webhook; the first time with its signing secret.', Type.Union([NewWebhook, Webhook])],
  },
  refusals: ['destination_not_allowed'],
})
