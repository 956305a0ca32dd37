import { type SQLWrapper, sql } from 'drizzle-orm'
import { SQLiteAsyncDialect } from 'drizzle-orm/sqlite-core'
import type { Dialect } from '../dialect.ts'

/**
 * Builds queries for PostgreSQL. Statements come from drizzle's SQLite builder, whose SQL PostgreSQL
 * understands except for the placeholders of parameters.
 */
export class PostgresDialect extends SQLiteAsyncDialect implements Dialect {
  readonly hasManyWriters = true
  readonly skipLocked = sql` FOR UPDATE SKIP LOCKED`

  constructor() {
    super({ casing: 'snake_case' })
  }

  override escapeParam(position: number): string {
    return `$${position + 1}`
  }

  textsOf = (json: SQLWrapper) => sql`(SELECT value FROM json_array_elements_text(${json}::text::json))`
  pairsOf = (json: SQLWrapper) =>
    sql`(SELECT value ->> 0, value ->> 1 FROM json_array_elements(${json}::text::json))`
  position = (text: SQLWrapper, part: SQLWrapper) => sql`strpos(${text}, ${part})`
  /**
   * Lowercases a parameter. Parameters have the collation of the database, which may change more letters than
   * A to Z, so this uses the collation of the columns, "C".
   */
  lower = (parameter: SQLWrapper) => sql`lower(${parameter} COLLATE "C")`
  character = (code: SQLWrapper) => sql`chr(${code})`
  withoutIndex = (column: SQLWrapper) => sql`${column}`
}
