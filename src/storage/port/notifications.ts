import type { ChannelName, Notification, Recipient, RecipientState } from '../../domain/notification.ts'
import type { NotificationKind } from '../../domain/notification-kind.ts'
import type { PersonChannel } from '../../domain/person-channel.ts'

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

/**
 * A channel with the address of its person, the language in which they use the dashboard, if known, and since
 * when they are suspended, if they are.
 */
export type ChannelWithEmail = PersonChannel & {
  email: string
  language: string | null
  suspendedAt: number | null
}

export interface PersonChannels {
  /** A channel of a person who may still see its merchant; null for any other. */
  find(id: string): Promise<ChannelWithEmail | null>
  /** The channels of a person at a merchant, oldest first. */
  listOfUser(userId: string, merchantId: string): Promise<ChannelWithEmail[]>
  /** The verified channels of everybody who may see a merchant, and is not suspended. */
  listOfMerchant(merchantId: string): Promise<ChannelWithEmail[]>
  insert(channel: PersonChannel): Promise<void>
  update(id: string, change: Partial<Omit<PersonChannel, 'id'>>): Promise<void>
  /** Removes a channel, and what waits to be sent there. */
  remove(id: string): Promise<void>
}
