import { formatTimestamp } from '../domain/timestamp.ts'
import type { Webhook } from '../domain/webhook.ts'

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
        events: webhook.events,
        status: webhook.status,
        createdAt: formatTimestamp(webhook.createdAt),
        updatedAt: formatTimestamp(webhook.updatedAt),
      }

/** The webhook when it is set for the first time: only this response contains the secret. */
export const presentNewWebhook = (webhook: Webhook) => ({
  ...presentWebhook(webhook),
  signingSecret: webhook.secret,
})
