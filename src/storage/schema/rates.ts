import { primaryKey, sqliteTable } from 'drizzle-orm/sqlite-core'
import { instant, json, string } from './columns.ts'

export const watchedRates = sqliteTable(
  'watched_rates',
  {
    assetId: string().notNull(),
    currency: string().notNull(),
    watchedUntil: instant().notNull(),
    lockedUntil: instant().notNull(),
  },
  table => [primaryKey({ columns: [table.assetId, table.currency] })],
)

export const rates = sqliteTable(
  'rates',
  {
    assetId: string().notNull(),
    currency: string().notNull(),
    at: instant().notNull(),
    value: string().notNull(),
    sources: json<string[]>().notNull(),
  },
  table => [primaryKey({ columns: [table.assetId, table.currency, table.at] })],
)
