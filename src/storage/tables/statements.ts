import { getTableColumns, type SQL, sql } from 'drizzle-orm'
import { toSnakeCase } from 'drizzle-orm/casing'
import type { SQLiteColumn, SQLiteInsertValue, SQLiteTable } from 'drizzle-orm/sqlite-core'
import { UnplannedPlaceholder } from '../dialect.ts'
import type { Db } from './db.ts'

/** Builds a query at its first use and reuses it, because building takes longer than running. */
export function lazy<T>(build: () => T): () => T {
  let built: T | undefined
  return () => {
    built ??= build()
    return built
  }
}

/**
 * Returns a parameter of a condition. SQLite does not plan the query again for each value, which would take
 * ten times as long as running it.
 */
export const param = (name: string): SQL => sql`${new UnplannedPlaceholder(name)}`

interface PreparedQuery<Result> {
  execute(values: Record<string, unknown>): Result
}

/** Returns true if the values of this shape include the name. */
type Has = (name: string) => boolean

/** Prepares a query once per shape. A shape is the set of names whose value is not null or undefined. */
export function byShape<Values extends object, Result>(
  build: (has: Has) => PreparedQuery<Result>,
): (values: Values) => Result {
  const prepared = new Map<string, PreparedQuery<Result>>()
  return given => {
    const values = given as Record<string, unknown>
    const names = Object.keys(values).filter(name => values[name] != null)
    const shape = names.join()
    const known = prepared.get(shape) ?? build(name => names.includes(name))
    prepared.set(shape, known)
    return known.execute(values)
  }
}

export const limitParam = (): number => param('limit') as unknown as number

type Changes = { changes: number } | Promise<{ changes: number }>

type Update<T extends SQLiteTable, Key, Result> = (
  key: Key,
  change: Partial<T['$inferSelect']>,
) => Promise<Result>

/** Prepares a compare-and-set once per set of changed columns. Returns true if it changed a row. */
export function moveOf<T extends SQLiteTable, Key extends Record<string, unknown>>(
  db: Db,
  table: T,
  condition: SQL | undefined,
): Update<T, Key, boolean> {
  const prepared = new Map<string, PreparedQuery<Changes>>()
  return async (key, change) => {
    const names = Object.keys(change).filter(name => change[name as keyof typeof change] !== undefined)
    const shape = names.join()
    const build = () => {
      const columns = Object.fromEntries(names.map(name => [name, sql.placeholder(`set.${name}`)]))
      return db
        .update(table)
        .set(columns as never)
        .where(condition)
        .prepare() as unknown as PreparedQuery<Changes>
    }
    const known = prepared.get(shape) ?? build()
    prepared.set(shape, known)
    const values: Record<string, unknown> = { ...key }
    for (const name of names) values[`set.${name}`] = change[name as keyof typeof change]
    const { changes } = await known.execute(values)
    return changes > 0
  }
}

/** Prepares an update once per set of changed columns. The condition has parameters of its own. */
export function updateOf<T extends SQLiteTable, Key extends Record<string, unknown>>(
  db: Db,
  table: T,
  condition: SQL | undefined,
): Update<T, Key, void> {
  const move = moveOf<T, Key>(db, table, condition)
  return async (key, change) => {
    await move(key, change)
  }
}

export const columnParams = <T extends SQLiteTable>(table: T): SQLiteInsertValue<T> =>
  Object.fromEntries(
    Object.keys(getTableColumns(table)).map(name => [name, sql.placeholder(name)]),
  ) as SQLiteInsertValue<T>

/**
 * Returns the values for ON CONFLICT DO UPDATE that set every column to that of the row that was to be
 * inserted.
 */
export const excludedColumns = (table: SQLiteTable): Record<string, SQL> =>
  Object.fromEntries(
    Object.keys(getTableColumns(table)).map(name => [
      name,
      sql`excluded.${sql.identifier(toSnakeCase(name))}`,
    ]),
  )

/**
 * Returns the columns for ON CONFLICT without their table, which drizzle adds and PostgreSQL does not accept.
 */
export const conflictOn = (...columns: SQLiteColumn[]): SQLiteColumn[] =>
  columns.map(({ name }) => sql.identifier(toSnakeCase(name))) as unknown as SQLiteColumn[]

/**
 * Returns a function that inserts a row. Columns with an expression in `expressions` are not part of the row.
 */
export function insertInto<
  T extends SQLiteTable,
  Given extends Partial<Record<keyof T['$inferSelect'], SQL>>,
>(db: Db, table: T, expressions?: Given): (row: Omit<T['$inferSelect'], keyof Given>) => Promise<void> {
  const statement = lazy(() =>
    db
      .insert(table)
      .values({ ...columnParams(table), ...expressions })
      .prepare(),
  )
  return async row => {
    await statement().execute(row)
  }
}

/** Returns a function that inserts a row into a table, or replaces the row that has the same key. */
export function putInto<T extends SQLiteTable>(
  db: Db,
  table: T,
  ...key: SQLiteColumn[]
): (row: T['$inferSelect']) => Promise<void> {
  const statement = lazy(() =>
    db
      .insert(table)
      .values(columnParams(table))
      .onConflictDoUpdate({ target: conflictOn(...key), set: excludedColumns(table) as never })
      .prepare(),
  )
  return async row => {
    await statement().execute(row)
  }
}

export const first = <T>(rows: T[]): T | null => rows[0] ?? null

/** True if a compare-and-set changed a row. */
export const changed = (rows: unknown[]): boolean => rows.length > 0
