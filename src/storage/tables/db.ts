import type { BaseSQLiteDatabase } from 'drizzle-orm/sqlite-core'
import type { Dialect } from '../dialect.ts'

/**
 * What the repositories need of a database connection, whatever its driver. Drizzle types a synchronous
 * driver differently; because every query is awaited, both kinds fit.
 */
export interface Db
  extends Pick<BaseSQLiteDatabase<'sync' | 'async', unknown>, 'select' | 'insert' | 'update' | 'delete'> {
  readonly dialect: Dialect
}
