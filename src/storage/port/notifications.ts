import type { ChannelName, Notification, Recipient, RecipientState } from '../../domain/notification.ts'
import type { NotificationKind } from '../../domain/notification-kind.ts'

/** A notification, and the channels that it was sent by. */
export type SentNotification = Notification & { sentTo: ChannelName[] }

export interface Notifications {
  /** Inserts a notification, and schedules that the server sends it. */
  insert(notification: Notification): Promise<void>
  /** The notifications of a merchant, newest first. */
  list(merchantId: string, limit: number, without?: readonly NotificationKind[]): Promise<SentNotification[]>
  /** Newest first. */
  listOfOrder(orderId: string, limit: number): Promise<SentNotification[]>
  /** Notifications that have no recipients yet, oldest first. */
  listNew(limit: number): Promise<Notification[]>
  /** Gives a new notification its recipients, or no recipient at all. */
  address(notificationId: string, recipients: Recipient[]): Promise<void>
}

/** The messages that notifications are sent in. */
export interface Sends {
  /** What has to be sent to a recipient, oldest first. */
  listPending(recipient: Recipient, limit: number): Promise<Notification[]>
  /** Marks pending notifications of a recipient as sent by a channel. */
  markSent(recipient: Recipient, notificationIds: string[], channel: ChannelName, at: number): Promise<void>
  /** Gives up pending notifications of a recipient that were created before a time. Returns their number. */
  giveUp(recipient: Recipient, createdBefore: number): Promise<number>
  findRecipient(recipient: Recipient): Promise<RecipientState | null>
  /** All recipients that a message was sent to, or failed to be sent to. */
  listRecipients(): Promise<RecipientState[]>
  /** Inserts or replaces the state of a recipient. */
  putRecipient(state: RecipientState): Promise<void>
}
