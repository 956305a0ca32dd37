import { getTableColumns, type Placeholder, type SQL, sql } from 'drizzle-orm'
import { toSnakeCase } from 'drizzle-orm/casing'
import type { SQLiteInsertValue, SQLiteTable } from 'drizzle-orm/sqlite-core'
import type { Db } from './db.ts'

/** A query that is built once, when it is first asked. Building costs more than asking. */
export function lazy<T>(build: () => T): () => T {
  let built: T | undefined
  return () => {
    built ??= build()
    return built
  }
}

/** The value of a query that is given each time it is asked. */
export const param = <Name extends string>(name: Name): Placeholder<Name> => sql.placeholder(name)

/** Every column of a table, to be given by its name. */
export const columnParams = <T extends SQLiteTable>(table: T): SQLiteInsertValue<T> =>
  Object.fromEntries(
    Object.keys(getTableColumns(table)).map(name => [name, param(name)]),
  ) as SQLiteInsertValue<T>

/** For a row that is there already: every column as the new one has it. */
export const excludedColumns = (table: SQLiteTable): Record<string, SQL> =>
  Object.fromEntries(
    Object.keys(getTableColumns(table)).map(name => [
      name,
      sql`excluded.${sql.identifier(toSnakeCase(name))}`,
    ]),
  )

/** Inserts whole rows of a table. */
export function insertInto<T extends SQLiteTable>(
  db: Db,
  table: T,
): (row: T['$inferInsert']) => Promise<void> {
  const statement = lazy(() => db.insert(table).values(columnParams(table)).prepare())
  return async row => {
    await statement().execute(row)
  }
}
