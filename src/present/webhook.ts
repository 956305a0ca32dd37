import { formatTimestamp } from '../domain/timestamp.ts'
import { isEventType, type Webhook } from '../domain/webhook.ts'

export const presentWebhook = (webhook: Webhook | null) =>
  webhook === null
    ? {
        configured: false,
        endpointId: null,
        url: null,
        events: [],
        status: 'not_configured' as const,
        createdAt: null,
        updatedAt: null,
      }
    : {
        configured: true,
        endpointId: webhook.id,
        url: webhook.url,
        events: webhook.events.filter(isEventType),
        status: webhook.status,
        createdAt: formatTimestamp(webhook.createdAt),
        updatedAt: formatTimestamp(webhook.updatedAt),
      }

/** A webhook that is set for the first time. Only this response contains the secret. */
export const presentNewWebhook = (webhook: Webhook) => ({
  ...presentWebhook(webhook),
  signingSecret: webhook.secret,
})

const timeOf = (at: number | null) => (at === null ? null : formatTimestamp(at))

/** One of the webhooks of a merchant. */
export const presentAnyWebhook = (webhook: Webhook) => ({
  endpointId: webhook.id,
  isFirst: webhook.isFirst,
  format: webhook.format,
  url: webhook.url,
  events: webhook.events,
  mode: webhook.mode,
  status: webhook.status,
  failingSince: timeOf(webhook.failingSince),
  failures: webhook.failures,
  createdAt: formatTimestamp(webhook.createdAt),
  updatedAt: formatTimestamp(webhook.updatedAt),
})

/** A webhook that was just added. Only this response contains the secret. */
export const presentAddedWebhook = (webhook: Webhook) => ({
  ...presentAnyWebhook(webhook),
  signingSecret: webhook.secret,
})
