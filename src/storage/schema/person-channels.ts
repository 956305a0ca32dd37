import { sqliteTable } from 'drizzle-orm/sqlite-core'
import type { ChannelName } from '../../domain/notification.ts'
import type { NotificationKind } from '../../domain/notification-kind.ts'
import { count, instant, json, string } from './columns.ts'

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
