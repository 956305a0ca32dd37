import type { Notification } from '../../domain/notification.ts'
import type { Context } from '../context.ts'

/** What a merchant should look at. */
interface Attention {
  /** payments that settled no order and wait for a decision, of the newest ones */
  unmatchedCount: number
  /** since when the endpoint of the webhook has been failing; null if it has not */
  failingSince: number | null
  isWebhookDisabled: boolean
  /** events that were given up */
  givenUpCount: number
  /** the newest notifications */
  notifications: Notification[]
}

/** Of the unmatched payments. */
const LOOKED_AT = 100
const NOTIFICATIONS_MAX = 3

/** What a merchant should look at, on one page. */
export const readAttention = (
  { storage }: Pick<Context, 'storage'>,
  merchantId: string,
): Promise<Attention> =>
  storage.read(async tables => {
    const webhook = await tables.webhooks.find(merchantId)
    return {
      unmatchedCount: (await tables.unmatched.list(merchantId, LOOKED_AT)).filter(
        ({ payment }) => payment.status === 'open',
      ).length,
      failingSince: webhook?.failingSince ?? null,
      isWebhookDisabled: webhook?.status === 'disabled',
      givenUpCount: await tables.events.countByStatus(merchantId, 'failed'),
      notifications: await tables.notifications.list(merchantId, NOTIFICATIONS_MAX),
    }
  })
