import type { BuyerMail } from '../../domain/buyer-mail.ts'
import type { ChannelName, Notification, Recipient, RecipientState } from '../../domain/notification.ts'
import type { NotificationKind } from '../../domain/notification-kind.ts'
import type { PaymentMail } from '../../domain/payment-mail.ts'
import type { PersonChannel } from '../../domain/person-channel.ts'
import type { Limit } from '../../domain/quota.ts'

/** A notification, and the channels by which it was sent. */
export type SentNotification = Notification & { sentTo: ChannelName[] }

export interface Notifications {
  /** Inserts a notification, and schedules sending it. */
  insert(notification: Notification): Promise<void>
  /** Newest first. */
  list(merchantId: string, limit: number, without?: readonly NotificationKind[]): Promise<SentNotification[]>
  /** Newest first. */
  listOfOrder(orderId: string, limit: number): Promise<SentNotification[]>
  /** Notifications without recipients yet, oldest first. */
  listNew(limit: number): Promise<Notification[]>
  /** Sets the recipients of a new notification, possibly none. */
  address(notificationId: string, recipients: Recipient[]): Promise<void>
}

/** Pending and sent messages. */
export interface Sends {
  /** Notifications that are pending for a recipient, oldest first. */
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

/** A channel with its person's address, dashboard language (if known), and suspension (if suspended). */
export type ChannelWithEmail = PersonChannel & {
  email: string
  language: string | null
  suspendedAt: number | null
}

export interface PersonChannels {
  /** Finds the channel of a person who may still see its merchant; null otherwise. */
  find(id: string): Promise<ChannelWithEmail | null>
  /** Oldest first. */
  listOfUser(userId: string, merchantId: string): Promise<ChannelWithEmail[]>
  /** Verified channels of everybody who may see a merchant and is not suspended. */
  listOfMerchant(merchantId: string): Promise<ChannelWithEmail[]>
  insert(channel: PersonChannel): Promise<void>
  update(id: string, change: Partial<Omit<PersonChannel, 'id'>>): Promise<void>
  /** Removes a channel, and the messages pending for it. */
  remove(id: string): Promise<void>
}

export interface BuyerMails {
  find(id: string): Promise<BuyerMail | null>
  /** Oldest first. */
  listOf(orderId: string): Promise<BuyerMail[]>
  /** Number of mails of a kind created for an address after a time, up to `limit`. */
  countTo(mailbox: string, kind: BuyerMail['kind'], after: number, limit: number): Promise<number>
  /** Inserts a mail. Returns false if the order already has one of this kind. */
  insertIfNew(mail: BuyerMail): Promise<boolean>
  update(id: string, change: Pick<BuyerMail, 'status' | 'failures'>): Promise<void>
}

export interface PaymentMails {
  find(id: string): Promise<PaymentMail | null>
  /** By due time. */
  listOf(orderId: string): Promise<PaymentMail[]>
  /** Number of mails to an address that were due after a time, up to `limit`. */
  countTo(mailboxHash: string, after: number, limit: number): Promise<number>
  insert(mail: PaymentMail): Promise<void>
  update(id: string, change: Partial<Pick<PaymentMail, 'status' | 'failures' | 'news'>>): Promise<void>
}

/** Counts of what is limited, shared by all servers and kept over restarts. */
export interface Quotas {
  /** Counts one more. Returns null, or when the count ends if it has reached its limit. */
  take(id: string, limit: Limit, now: number): Promise<number | null>
  removeEnded(now: number): Promise<void>
}
