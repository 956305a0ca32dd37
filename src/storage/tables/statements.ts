import { getTableColumns, type SQL, sql } from 'drizzle-orm'
import { toSnakeCase } from 'drizzle-orm/casing'
import type { SQLiteInsertValue, SQLiteTable } from 'drizzle-orm/sqlite-core'
import type { Db } from './db.ts'

/** Builds a query when it is first needed, and reuses it. Building a query takes longer than running it. */
export function lazy<T>(build: () => T): () => T {
  let built: T | undefined
  return () => {
    built ??= build()
    return built
  }
}

/**
 * A parameter of a condition. The sign keeps SQLite from planning the query again for every value, which
 * takes ten times as long as running it.
 */
export const param = (name: string): SQL => sql`+${sql.placeholder(name)}`

/** A parameter for every column of a table. */
export const columnParams = <T extends SQLiteTable>(table: T): SQLiteInsertValue<T> =>
  Object.fromEntries(
    Object.keys(getTableColumns(table)).map(name => [name, sql.placeholder(name)]),
  ) as SQLiteInsertValue<T>

/** Sets every column of an existing row to the value of the row that was to be inserted. */
export const excludedColumns = (table: SQLiteTable): Record<string, SQL> =>
  Object.fromEntries(
    Object.keys(getTableColumns(table)).map(name => [
      name,
      sql`excluded.${sql.identifier(toSnakeCase(name))}`,
    ]),
  )

/** Returns a function that inserts a row into a table. */
export function insertInto<T extends SQLiteTable>(
  db: Db,
  table: T,
): (row: T['$inferSelect']) => Promise<void> {
  const statement = lazy(() => db.insert(table).values(columnParams(table)).prepare())
  return async row => {
    await statement().execute(row)
  }
}
