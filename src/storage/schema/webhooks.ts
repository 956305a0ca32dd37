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

/** Returns the columns that every webhook has. */
const webhookColumns = () => ({
  id: string().primaryKey(),
  merchantId: string().notNull(),
  url: string().notNull(),
  status: string<Webhook['status']>().notNull(),
  secret: string().notNull(),
  previousSecret: string(),
  previousSecretUntil: instant(),
  failingSince: instant(),
  failures: count().notNull(),
  alerts: count().notNull(),
  ...timestamps(),
})

export const webhooks = sqliteTable('webhooks', {
  ...webhookColumns(),
  events: json<EventType[]>().notNull(),
  sendsFrom: instant(),
})

export const furtherWebhooks = sqliteTable('further_webhooks', {
  ...webhookColumns(),
  events: json<MessageType[]>().notNull(),
  format: string<WebhookFormat>().notNull(),
  keyId: string(),
  mode: string<WebhookMode>().notNull(),
})

export const events = sqliteTable('events', {
  id: string().primaryKey(),
  merchantId: string().notNull(),
  orderId: string().notNull(),
  type: string<EventType>().notNull(),
  body: string().notNull(),
  createdAt: instant().notNull(),
})

/** Returns the columns that every delivery has. */
const deliveryColumns = () => ({
  merchantId: string().notNull(),
  status: string<DeliveryStatus>().notNull(),
  nextAttemptAt: instant(),
  tries: json<DeliveryTry[]>().notNull(),
  firstTriedAt: instant(),
  ...timestamps(),
})

export const deliveries = sqliteTable('deliveries', {
  eventId: string().primaryKey(),
  ...deliveryColumns(),
  type: string<EventType>().notNull(),
})

export const furtherDeliveries = sqliteTable('further_deliveries', {
  id: string().primaryKey(),
  webhookId: string().notNull(),
  eventId: string().notNull(),
  ...deliveryColumns(),
  type: string<MessageType>().notNull(),
})
