import { formatTimestamp } from '../domain/timestamp.ts'
import type { SentNotification } from '../operations/notifications/list.ts'

export const presentNotification = ({ id, kind, orderId, text, createdAt, sentTo }: SentNotification) => ({
  id,
  kind,
  orderUUID: orderId,
  text,
  createdAt: formatTimestamp(createdAt),
  sentTo,
})
