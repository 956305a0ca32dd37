import type { BaseSQLiteDatabase } from 'drizzle-orm/sqlite-core'
import type { Dialect } from '../dialect.ts'

/**
 * A database connection, as repositories use it. Drizzle's types differ for synchronous drivers, but both
 * kinds fit because every query is awaited.
 */
export interface Db
  extends Pick<BaseSQLiteDatabase<'sync' | 'async', unknown>, 'select' | 'insert' | 'update' | 'delete'> {
  readonly dialect: Dialect
}
