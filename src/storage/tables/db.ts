import type { BunSQLiteDatabase } from 'drizzle-orm/bun-sqlite'

/**
 * What a repository is written against: select, insert, update and delete, awaited; nothing of the driver.
 */
export type Db = Pick<BunSQLiteDatabase, 'select' | 'insert' | 'update' | 'delete'>
