import type { BaseSQLiteDatabase } from 'drizzle-orm/sqlite-core'
import type { Dialect } from '../dialect.ts'

/**
 * A database connection, as the repositories use it. Drizzle's types differ for synchronous drivers; because
 * every query is awaited, both kinds fit.
 */
export interface Db
  extends Pick<BaseSQLiteDatabase<'sync' | 'async', unknown>, 'select' | 'insert' | 'update' | 'delete'> {
  readonly dialect: Dialect
}
