import type { Notification } from '../../domain/notification.ts'
import { askedKinds } from '../../domain/notification-kind.ts'
import type { Context } from '../context.ts'
import { countOpen } from '../payments/browse-unmatched.ts'

/** What a merchant should look at. */
interface Attention {
  /** payments that settled no order and wait for a decision */
  unmatchedCount: number
  /** since when the endpoint of the webhook has been failing; null if it has not */
  failingSince: number | null
  isWebhookDisabled: boolean
  /** events that were given up */
  givenUpCount: number
  /** the newest notifications */
  notifications: Notification[]
}

/** More unmatched payments are not counted. */
const COUNTED_MAX = 100
const NOTIFICATIONS_MAX = 3

/** What a merchant should look at, on one page. */
export const readAttention = (
  { storage }: Pick<Context, 'storage'>,
  merchantId: string,
): Promise<Attention> =>
  storage.read(async tables => {
    const webhook = await tables.webhooks.find(merchantId)
    return {
      unmatchedCount: await countOpen(tables, merchantId, COUNTED_MAX),
      failingSince: webhook?.failingSince ?? null,
      isWebhookDisabled: webhook?.status === 'disabled',
      givenUpCount: await tables.events.countByStatus(merchantId, 'failed'),
      notifications: await tables.notifications.list(merchantId, NOTIFICATIONS_MAX, askedKinds),
    }
  })
