import type { Notification } from '../domain/notification.ts'
import { formatTimestamp } from '../domain/timestamp.ts'

export const presentNotification = ({ id, kind, orderId, text, createdAt }: Notification) => ({
  id,
  kind,
  orderUUID: orderId,
  text,
  createdAt: formatTimestamp(createdAt),
  sentTo: [],
})
