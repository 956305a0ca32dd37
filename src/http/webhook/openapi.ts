import { Type } from '@sinclair/typebox'
import { describeOperation } from '../openapi/describe.ts'
import { NewWebhook, Webhook } from './response.ts'

export const getWebhook = describeOperation('readWebhook', {
  tag: 'Merchant',
  summary: 'Get the webhook',
  description: 'When no webhook is set, `configured` is false.',
  access: { scope: 'api:read' },
  responses: { 200: ['The webhook.', Webhook] },
})

export const changeWebhook = describeOperation('changeWebhook', {
  tag: 'Merchant',
  summary: 'Set the webhook URL',
  description:
    'Keeps the signing secret and the subscribed events, and reactivates a disabled webhook. Only the ' +
    'first response contains the signing secret; it cannot be read later.',
  access: { live: true, scope: 'webhooks:write' },
  responses: {
    200: ['The webhook. The first time, it includes the signing secret.', Type.Union([NewWebhook, Webhook])],
  },
  refusals: ['destination_not_allowed'],
})
