import { describeOperation } from '../openapi/describe.ts'
import { AddedWebhook, NewSecret, ShopWebhook, ShopWebhooks, WebhookTest } from './response.ts'

const tag = 'Merchant'
const write = { live: true, scope: 'webhooks:write' } as const

export const listWebhooks = describeOperation('listWebhooks', {
  tag,
  summary: 'List webhooks',
  description: 'The webhook that PUT /v1/webhook sets comes first, then the others by age.',
  access: { scope: 'api:read' },
  responses: { 200: ['All webhooks of the merchant.', ShopWebhooks] },
})

export const addWebhook = describeOperation('addWebhook', {
  tag,
  summary: 'Add a webhook',
  description:
    'Adds a webhook beside the one that PUT /v1/webhook sets, with its own events, secret and retries. ' +
    'Only this response contains the signing secret; it cannot be read later.',
  access: write,
  responses: { 201: ['The webhook, with its signing secret.', AddedWebhook] },
  refusals: ['destination_not_allowed', 'conflict'],
})

export const readWebhookById = describeOperation('readWebhookById', {
  tag,
  summary: 'Get one of the webhooks',
  access: { scope: 'api:read' },
  responses: { 200: ['The webhook.', ShopWebhook] },
  refusals: ['not_found'],
})

export const editWebhook = describeOperation('editWebhook', {
  tag,
  summary: 'Change a webhook',
  description: 'Fields that you leave out keep their values, as does the signing secret.',
  access: write,
  responses: { 200: ['The changed webhook.', ShopWebhook] },
  refusals: ['not_found', 'destination_not_allowed'],
})

export const removeWebhook = describeOperation('removeWebhook', {
  tag,
  summary: 'Delete a webhook',
  description:
    'Events that wait for it are never sent. The webhook that PUT /v1/webhook sets cannot be deleted.',
  access: write,
  responses: { 200: ['The deleted webhook.', ShopWebhook] },
  refusals: ['not_found', 'conflict'],
})

export const testWebhook = describeOperation('testWebhook', {
  tag,
  summary: 'Send a test event',
  description:
    'Sends `webhook.test` once, whatever the webhook is subscribed to, and answers how it went. A success ' +
    'reactivates a disabled webhook and sends what waits.',
  access: write,
  responses: { 200: ['How it went.', WebhookTest] },
  refusals: ['not_found'],
})

export const rotateWebhook = describeOperation('rotateWebhook', {
  tag,
  summary: 'Replace the signing secret',
  access: write,
  responses: { 200: ['The new secret.', NewSecret] },
  refusals: ['not_found'],
})
