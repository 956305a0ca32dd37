import { primaryKey, sqliteTable } from 'drizzle-orm/sqlite-core'
import { flag, instant, string } from './columns.ts'

export const chainScans = sqliteTable('chain_scans', {
  chain: string().primaryKey(),
  beganAt: instant().notNull(),
  leasedUntil: instant(),
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
