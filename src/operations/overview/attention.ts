import type { Notification } from '../../domain/notification.ts'
import { askedKinds } from '../../domain/notification-kind.ts'
import type { Context } from '../context.ts'
import { countOpen } from '../payments/browse-unmatched.ts'

interface Attention {
  /** unmatched payments that wait for a decision */
  unmatchedCount: number
  /** since when the webhook has been failing; null if it works */
  failingSince: number | null
  isWebhookDisabled: boolean
  givenUpCount: number
  notifications: Notification[]
}

/** Max counted unmatched payments. */
const COUNTED_MAX = 100
const NOTIFICATIONS_MAX = 3

/** Matters that need the merchant's attention, on one page. */
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
