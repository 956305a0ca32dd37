import type { Webhook } from '../../domain/webhook.ts'
import type { Tables } from '../../storage/port.ts'

/** A webhook and its health. */
export interface WebhookHealth {
  webhook: Webhook
  /** the number of events that it did not get in three days of tries */
  givenUp: number
}

/** All webhooks of a merchant, the first one first. */
export const readWebhookHealth = async (
  tables: Pick<Tables, 'webhooks' | 'events' | 'furtherDeliveries'>,
  merchantId: string,
): Promise<WebhookHealth[]> =>
  Promise.all(
    (await tables.webhooks.listOf(merchantId)).map(async webhook => ({
      webhook,
      givenUp: webhook.isFirst
        ? await tables.events.countByStatus(merchantId, 'failed')
        : await tables.furtherDeliveries.countGivenUp(webhook.id),
    })),
  )

/** True if deliveries fail now, or are no longer tried. */
export const isDown = ({ status, failingSince }: Webhook): boolean =>
  status === 'disabled' || failingSince !== null
