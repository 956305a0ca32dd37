import { sqliteTable } from 'drizzle-orm/sqlite-core'
import { bytes, count } from './columns.ts'

export const writeProbes = sqliteTable('write_probes', {
  id: count().primaryKey(),
  padding: bytes().notNull(),
})
