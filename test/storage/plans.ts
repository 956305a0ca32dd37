import { Database } from 'bun:sqlite'
import { SQLiteBunSession } from 'drizzle-orm/bun-sqlite/session'
import { BaseSQLiteDatabase } from 'drizzle-orm/sqlite-core'
import { SqliteDialect } from '../../src/storage/sqlite/dialect.ts'
import { migrate } from '../../src/storage/sqlite/migrate.ts'
import { readTablesOf } from '../../src/storage/tables/index.ts'

/** The tables over an SQLite database. `record` gets each query before it runs. */
function recordedTables(database: Database, record: (sql: string, params: unknown[]) => void) {
  const dialect = new SqliteDialect()
  const session = new SQLiteBunSession(database, dialect, undefined, { logger: { logQuery: record } })
  const builder = new BaseSQLiteDatabase('sync', dialect, session, undefined)
  return readTablesOf(Object.assign(builder, { dialect }))
}

/** The tables over an empty database, which records their queries. */
export const database = new Database(':memory:')
migrate(database, ':memory:', 0)
const queries: { sql: string; params: unknown[] }[] = []
export const tables = recordedTables(database, (sql, params) => void queries.push({ sql, params }))

export const planOf = (sql: string, params: unknown[]): string[] =>
  database
    .query<{ detail: string }, never[]>(`EXPLAIN QUERY PLAN ${sql}`)
    .all(...(params as never[]))
    .map(({ detail }) => detail)

/** The query plans of a list. */
export async function plansOf(list: () => Promise<unknown>): Promise<string[]> {
  queries.length = 0
  await list()
  return queries.flatMap(({ sql, params }) => planOf(sql, params))
}

/** The steps of a subquery follow it. */
export const isSlow = (step: string): boolean =>
  !/^SEARCH .* USING (\w+ )*INDEX /.test(step) && !/^SCALAR SUBQUERY \d+$/.test(step)

export const merchantId = '01981f5c-7d2a-7cc1-9f0e-2f6f2f9d3c55'
export const after = { at: 5, id: merchantId }
