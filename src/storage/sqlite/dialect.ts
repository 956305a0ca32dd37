import { type SQLWrapper, sql } from 'drizzle-orm'
import { SQLiteSyncDialect } from 'drizzle-orm/sqlite-core'
import { type Dialect, UnplannedPlaceholder } from '../dialect.ts'

/** Builds queries for SQLite. */
export class SqliteDialect extends SQLiteSyncDialect implements Dialect {
  readonly hasManyWriters = false
  readonly skipLocked = sql``

  constructor() {
    super({ casing: 'snake_case' })
  }

  /**
   * Returns the placeholder of a parameter. SQLite plans a query again for each value that is compared with
   * an indexed column. A plus sign hides the value from the planner.
   */
  override escapeParam(_position: number, value?: unknown): string {
    return value instanceof UnplannedPlaceholder ? '+?' : '?'
  }

  textsOf = (json: SQLWrapper) => sql`(SELECT value FROM json_each(${json}))`
  pairsOf = (json: SQLWrapper) => sql`(SELECT value ->> 0, value ->> 1 FROM json_each(${json}))`
  position = (text: SQLWrapper, part: SQLWrapper) => sql`instr(${text}, ${part})`
  lower = (parameter: SQLWrapper) => sql`lower(${parameter})`
  character = (code: SQLWrapper) => sql`char(${code})`
  /** Returns a column with a plus sign, which makes it an expression that no index contains. */
  withoutIndex = (column: SQLWrapper) => sql`+${column}`
}
