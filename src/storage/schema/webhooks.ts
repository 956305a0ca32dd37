import { sqliteTable } from 'drizzle-orm/sqlite-core'
import type {
  DeliveryStatus,
  DeliveryTry,
  EventType,
  MessageType,
  Webhook,
  WebhookFormat,
  WebhookMode,
} from '../../domain/webhook.ts'
import { count, instant, json, string, timestamps } from './columns.ts'

export const webhooks = sqliteTable('webhooks', {
  id: string().primaryKey(),
  merchantId: string().notNull(),
  url: string().notNull(),
  events: json<EventType[]>().notNull(),
  status: string<Webhook['status']>().notNull(),
  secret: string().notNull(),
  previousSecret: string(),
  previousSecretUntil: instant(),
  failingSince: instant(),
  failures: count().notNull(),
  alerts: count().notNull(),
  ...timestamps(),
  sendsFrom: instant(),
})

export const furtherWebhooks = sqliteTable('further_webhooks', {
  id: string().primaryKey(),
  merchantId: string().notNull(),
  url: string().notNull(),
  events: json<MessageType[]>().notNull(),
  format: string<WebhookFormat>().notNull(),
  keyId: string(),
  mode: string<WebhookMode>().notNull(),
  status: string<Webhook['status']>().notNull(),
  secret: string().notNull(),
  previousSecret: string(),
  previousSecretUntil: instant(),
  failingSince: instant(),
  failures: count().notNull(),
  alerts: count().notNull(),
  ...timestamps(),
})

export const events = sqliteTable('events', {
  id: string().primaryKey(),
  merchantId: string().notNull(),
  orderId: string().notNull(),
  type: string<EventType>().notNull(),
  body: string().notNull(),
  createdAt: instant().notNull(),
})

export const deliveries = sqliteTable('deliveries', {
  eventId: string().primaryKey(),
  merchantId: string().notNull(),
  status: string<DeliveryStatus>().notNull(),
  nextAttemptAt: instant(),
  tries: json<DeliveryTry[]>().notNull(),
  firstTriedAt: instant(),
  ...timestamps(),
  type: string<EventType>().notNull(),
})

export const furtherDeliveries = sqliteTable('further_deliveries', {
  id: string().primaryKey(),
  webhookId: string().notNull(),
  eventId: string().notNull(),
  merchantId: string().notNull(),
  type: string<MessageType>().notNull(),
  status: string<DeliveryStatus>().notNull(),
  nextAttemptAt: instant(),
  tries: json<DeliveryTry[]>().notNull(),
  firstTriedAt: instant(),
  ...timestamps(),
})
