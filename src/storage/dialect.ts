import { Placeholder, type SQL, type SQLWrapper } from 'drizzle-orm'

/**
 * The parts of queries that SQLite and PostgreSQL write differently. Repositories use them as `db.dialect`.
 * Everything else in a query is SQL that both engines understand.
 */
export interface Dialect {
  /** True if several connections write at the same time, so that a search can conflict with an insertion. */
  readonly hasManyWriters: boolean
  /**
   * SQL that follows a SELECT inside an UPDATE, and skips rows that other transactions are changing. Empty if
   * only one connection writes.
   */
  readonly skipLocked: SQL
  /** A subquery of the strings in a JSON array, so that one prepared query takes lists of any length. */
  textsOf(json: SQLWrapper): SQL
  /** A subquery of the pairs in a JSON array of pairs of strings. */
  pairsOf(json: SQLWrapper): SQL
  /** Position of a string in another string, from 1; 0 if it does not occur. */
  position(text: SQLWrapper, part: SQLWrapper): SQL
  /** A parameter in lower case. Like `lower` of a column, it changes only the letters A to Z. */
  lower(parameter: SQLWrapper): SQL
  /** The character of a code point. */
  character(code: SQLWrapper): SQL
  /** A column for which SQLite uses no index. PostgreSQL chooses indexes by its statistics. */
  withoutIndex(column: SQLWrapper): SQL
}

/** A parameter whose value SQLite ignores when it plans a query; see `param` in `tables/statements.ts`. */
export class UnplannedPlaceholder extends Placeholder {}
