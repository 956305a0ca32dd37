import { primaryKey, sqliteTable } from 'drizzle-orm/sqlite-core'
import type { BuyerMail } from '../../domain/buyer-mail.ts'
import type { ChannelName, Recipient } from '../../domain/notification.ts'
import type { NotificationFacts } from '../../domain/notification-facts.ts'
import type { NotificationKind } from '../../domain/notification-kind.ts'
import type { PaymentMail } from '../../domain/payment-mail.ts'
import { count, instant, json, string } from './columns.ts'

export const notifications = sqliteTable('notifications', {
  id: string().primaryKey(),
  merchantId: string().notNull(),
  kind: string<NotificationKind>().notNull(),
  orderId: string(),
  facts: json<NotificationFacts>().notNull(),
  createdAt: instant().notNull(),
})

export const newNotifications = sqliteTable('new_notifications', {
  notificationId: string().primaryKey(),
})

export const notificationSends = sqliteTable(
  'notification_sends',
  {
    notificationId: string().notNull(),
    recipient: string<Recipient>().notNull(),
    status: string<'pending' | 'sent' | 'given_up'>().notNull(),
    channel: string<ChannelName>(),
    sentAt: instant(),
    createdAt: instant().notNull(),
  },
  table => [primaryKey({ columns: [table.notificationId, table.recipient] })],
)

export const notificationRecipients = sqliteTable('notification_recipients', {
  recipient: string<Recipient>().primaryKey(),
  notBefore: instant().notNull(),
  lastSentAt: instant(),
  failingSince: instant(),
  failures: count().notNull(),
  fault: string(),
})

export const outages = sqliteTable('outages', {
  id: string().primaryKey(),
  since: instant().notNull(),
  notifiedAt: instant(),
})

export const buyerMails = sqliteTable('buyer_mails', {
  id: string().primaryKey(),
  orderId: string().notNull(),
  kind: string<BuyerMail['kind']>().notNull(),
  mailbox: string().notNull(),
  language: string().notNull(),
  status: string<BuyerMail['status']>().notNull(),
  failures: count().notNull(),
  createdAt: instant().notNull(),
})

export const paymentMails = sqliteTable('payment_mails', {
  id: string().primaryKey(),
  orderId: string().notNull(),
  kind: string<PaymentMail['kind']>().notNull(),
  mailboxHash: string().notNull(),
  language: string().notNull(),
  status: string<PaymentMail['status']>().notNull(),
  failures: count().notNull(),
  news: count().notNull(),
  dueAt: instant().notNull(),
})

export const personChannels = sqliteTable('person_channels', {
  id: string().primaryKey(),
  userId: string().notNull(),
  merchantId: string().notNull(),
  name: string<ChannelName>().notNull(),
  url: string().notNull(),
  topic: string().notNull(),
  secret: string(),
  muted: json<NotificationKind[]>().notNull(),
  digestHour: count(),
  digestedUntil: instant(),
  verifiedAt: instant(),
  codeHash: string(),
  codeSentAt: instant(),
  codeTries: count().notNull(),
  createdAt: instant().notNull(),
  updatedAt: instant().notNull(),
})

export const quotas = sqliteTable('quotas', {
  id: string().primaryKey(),
  used: count().notNull(),
  endsAt: instant().notNull(),
})
