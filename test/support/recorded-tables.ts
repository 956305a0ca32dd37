import type { Database } from 'bun:sqlite'
import { SQLiteBunSession } from 'drizzle-orm/bun-sqlite/session'
import { BaseSQLiteDatabase } from 'drizzle-orm/sqlite-core'
import { SqliteDialect } from '../../src/storage/sqlite/dialect.ts'
import { readTablesOf } from '../../src/storage/tables/index.ts'

/** The tables over an SQLite database. `record` gets each query before it runs. */
export function recordedTables(database: Database, record: (sql: string, params: unknown[]) => void) {
  const dialect = new SqliteDialect()
  const session = new SQLiteBunSession(database, dialect, undefined, { logger: { logQuery: record } })
  const builder = new BaseSQLiteDatabase('sync', dialect, session, undefined)
  return readTablesOf(Object.assign(builder, { dialect }))
}
