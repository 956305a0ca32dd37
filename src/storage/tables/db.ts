import type { BaseSQLiteDatabase } from 'drizzle-orm/sqlite-core'

/**
 * What the repositories need of a database connection, whatever its driver. Drizzle types a synchronous
 * driver differently; because every query is awaited, both kinds fit.
 */
export type Db = Pick<
  BaseSQLiteDatabase<'sync' | 'async', unknown>,
  'select' | 'insert' | 'update' | 'delete'
>
