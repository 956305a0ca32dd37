import { sqliteTable } from 'drizzle-orm/sqlite-core'
import type { Actor } from '../../domain/audit.ts'
import { instant, string } from './columns.ts'

export const orderNotes = sqliteTable('order_notes', {
  id: string().primaryKey(),
  merchantId: string().notNull(),
  orderId: string().notNull(),
  actor: string<Actor>().notNull(),
  text: string().notNull(),
  createdAt: instant().notNull(),
})

export const savedViews = sqliteTable('saved_views', {
  id: string().primaryKey(),
  merchantId: string().notNull(),
  userId: string().notNull(),
  page: string().notNull(),
  name: string().notNull(),
  query: string().notNull(),
  createdAt: instant().notNull(),
})
