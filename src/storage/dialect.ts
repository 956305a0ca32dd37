import { Placeholder, type SQL, type SQLWrapper } from 'drizzle-orm'

/**
 * What the engines write differently in a query. Repositories call it as `db.dialect`; the rest of a query is
 * SQL that both engines read alike.
 */
export interface Dialect {
  /** Whether several connections write at the same time, so that a search can conflict with an insertion. */
  readonly hasManyWriters: boolean
  /**
   * Follows the SELECT inside an UPDATE: takes only rows that no other transaction is changing. Empty where
   * only one connection writes.
   */
  readonly skipLocked: SQL
  /** A subquery of the texts of a JSON array, so that a query is the same for lists of any length. */
  textsOf(json: SQLWrapper): SQL
  /** The same for an array of pairs of texts. */
  pairsOf(json: SQLWrapper): SQL
  /** Where a text first contains another: 1 is the first character, and 0 means nowhere. */
  position(text: SQLWrapper, part: SQLWrapper): SQL
  /** A parameter with A to Z in lower case, as `lower` makes of a column. */
  lower(parameter: SQLWrapper): SQL
  /** The character with a code. */
  character(code: SQLWrapper): SQL
  /** A column whose indexes SQLite leaves alone. PostgreSQL decides by its statistics. */
  withoutIndex(column: SQLWrapper): SQL
}

/** A parameter that SQLite plans the query without, see `param` of the repositories. */
export class UnplannedPlaceholder extends Placeholder {}
