import type { BuyerMail } from '../../domain/buyer-mail.ts'
import type { ChannelName, Notification, Recipient, RecipientState } from '../../domain/notification.ts'
import type { NotificationKind } from '../../domain/notification-kind.ts'
import type { PaymentMail } from '../../domain/payment-mail.ts'
import type { PersonChannel } from '../../domain/person-channel.ts'
import type { Limit } from '../../domain/quota.ts'

/** A notification, and the channels by which it was sent. */
export type SentNotification = Notification & { sentTo: ChannelName[] }

export interface Notifications {
  /** Inserts a notification, and schedules that it is sent. */
  insert(notification: Notification): Promise<void>
  /** Lists the notifications of a merchant, newest first. */
  list(merchantId: string, limit: number, without?: readonly NotificationKind[]): Promise<SentNotification[]>
  /** Lists the notifications of an order, newest first. */
  listOfOrder(orderId: string, limit: number): Promise<SentNotification[]>
  /** Lists notifications without recipients yet, oldest first. */
  listNew(limit: number): Promise<Notification[]>
  /** Sets the recipients of a new notification, which may be an empty list. */
  address(notificationId: string, recipients: Recipient[]): Promise<void>
}

/** Pending and sent messages of notifications. */
export interface Sends {
  /** Lists notifications that are pending for a recipient, oldest first. */
  listPending(recipient: Recipient, limit: number): Promise<Notification[]>
  /** Marks pending notifications of a recipient as sent by a channel. */
  markSent(recipient: Recipient, notificationIds: string[], channel: ChannelName, at: number): Promise<void>
  /** Gives up pending notifications of a recipient that were created before a time. Returns their number. */
  giveUp(recipient: Recipient, createdBefore: number): Promise<number>
  findRecipient(recipient: Recipient): Promise<RecipientState | null>
  /** Lists all recipients to which a message was sent, or failed to be sent. */
  listRecipients(): Promise<RecipientState[]>
  /** Inserts or replaces the state of a recipient. */
  putRecipient(state: RecipientState): Promise<void>
}

/**
 * A channel, with the email address of its person. The dashboard language is added if it is known, and the
 * suspension if the person is suspended.
 */
export type ChannelWithEmail = PersonChannel & {
  email: string
  language: string | null
  suspendedAt: number | null
}

export interface PersonChannels {
  /** Finds the channel of a person who may still see its merchant; null if there is none. */
  find(id: string): Promise<ChannelWithEmail | null>
  /** Lists the channels of a user for a merchant, oldest first. */
  listOfUser(userId: string, merchantId: string): Promise<ChannelWithEmail[]>
  /** Lists the verified channels of all people who may see a merchant and are not suspended. */
  listOfMerchant(merchantId: string): Promise<ChannelWithEmail[]>
  insert(channel: PersonChannel): Promise<void>
  update(id: string, change: Partial<Omit<PersonChannel, 'id'>>): Promise<void>
  /** Removes a channel, and the messages pending for it. */
  remove(id: string): Promise<void>
}

export interface BuyerMails {
  find(id: string): Promise<BuyerMail | null>
  /** Lists the mails about an order, oldest first. */
  listOf(orderId: string): Promise<BuyerMail[]>
  /** Number of mails of a kind created for an address after a time, up to `limit`. */
  countTo(mailbox: string, kind: BuyerMail['kind'], after: number, limit: number): Promise<number>
  /** Inserts a mail. Returns false if the order already has one of this kind. */
  insertIfNew(mail: BuyerMail): Promise<boolean>
  update(id: string, change: Pick<BuyerMail, 'status' | 'failures'>): Promise<void>
}

export interface PaymentMails {
  find(id: string): Promise<PaymentMail | null>
  /** Lists the mails about an order's payments, by due time. */
  listOf(orderId: string): Promise<PaymentMail[]>
  /** Number of mails to an address that were due after a time, up to `limit`. */
  countTo(mailboxHash: string, after: number, limit: number): Promise<number>
  insert(mail: PaymentMail): Promise<void>
  update(id: string, change: Partial<Pick<PaymentMail, 'status' | 'failures' | 'news'>>): Promise<void>
}

/** Counts of uses that are limited. All servers share them, and they survive restarts. */
export interface Quotas {
  /** Counts one use. Returns null if the limit allows it; otherwise the time at which the count ends. */
  take(id: string, limit: Limit, now: number): Promise<number | null>
  removeEnded(now: number): Promise<void>
}
