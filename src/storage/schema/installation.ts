import { sqliteTable } from 'drizzle-orm/sqlite-core'
import type { DatabaseMode } from '../engine.ts'
import { bytes, count, instant, string } from './columns.ts'

export const writeProbes = sqliteTable('write_probes', {
  id: count().primaryKey(),
  padding: bytes().notNull(),
})

export const commits = sqliteTable('commits', {
  id: count().primaryKey(),
  count: count().notNull(),
})

export const retentionProgress = sqliteTable('retention_progress', {
  id: count().primaryKey(),
  ranAt: instant().notNull(),
  reachedAt: instant().notNull(),
})

export const installation = sqliteTable('installation', {
  id: count().primaryKey(),
  mode: string<DatabaseMode>().notNull(),
  decidedAt: instant().notNull(),
  /** when the operator last recorded a backup; only used by PostgreSQL */
  backedUpAt: instant(),
})
