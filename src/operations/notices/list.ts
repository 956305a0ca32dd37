import type { NotificationKind } from '../../domain/notification-kind.ts'
import type { SentNotification } from '../../storage/port.ts'
import type { Context } from '../context.ts'
import { getMerchant } from '../merchants/read.ts'

export type { SentNotification }

const LIST_MAX = 500

/** The notifications of a merchant, newest first. */
export async function listNotifications(
  context: Pick<Context, 'storage'>,
  merchantId: string,
): Promise<SentNotification[]> {
  await getMerchant(context, merchantId)
  return context.storage.read(tables => tables.notifications.list(merchantId, LIST_MAX))
}

/** The newest notifications of a merchant, without those of some kinds. */
export const latestNotifications = (
  { storage }: Pick<Context, 'storage'>,
  merchantId: string,
  limit: number,
  without: readonly NotificationKind[],
): Promise<SentNotification[]> =>
  storage.read(tables => tables.notifications.list(merchantId, limit, without))
