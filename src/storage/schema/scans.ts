import { primaryKey, sqliteTable } from 'drizzle-orm/sqlite-core'
import { count, flag, instant, json, string } from './columns.ts'

export const chainScans = sqliteTable('chain_scans', {
  chain: string().primaryKey(),
  beganAt: instant().notNull(),
  leasedUntil: instant(),
})

export const blindChains = sqliteTable('blind_chains', {
  chain: string().primaryKey(),
  since: instant().notNull(),
  failedAt: instant().notNull(),
  failures: count().notNull(),
  readAt: instant(),
  notified: json<string[]>().notNull(),
})

export const askedChecks = sqliteTable(
  'asked_checks',
  {
    chain: string().notNull(),
    attemptId: string().notNull(),
    isLocked: flag().notNull(),
    askedAt: instant().notNull(),
  },
  table => [primaryKey({ columns: [table.chain, table.attemptId] })],
)
