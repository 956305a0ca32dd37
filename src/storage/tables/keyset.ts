import { and, type Column, gte, lt, type SQL, type SQLWrapper, sql } from 'drizzle-orm'
import type { PageStart } from '../../domain/page.ts'
import { param } from './statements.ts'

/**
 * Selects the rows after the parameters `at` and `id`, in a list sorted newest first. Compares row values,
 * which an index on both columns can serve.
 */
export const olderThan = (at: Column, id: Column): SQL =>
  sql`(${at}, ${id}) < (${param('at')}, ${param('id')})`

/**
 * Returns the tighter of the two upper bounds of a page. With both in a query, SQLite would choose an index
 * without the status, and read all rows with another status.
 */
export const upperBound = (
  createdTo: number | undefined,
  after: PageStart | null,
): { createdTo: number } | PageStart | null =>
  createdTo !== undefined && (after === null || after.at >= createdTo) ? { createdTo } : after

/** The last character of Unicode, which sorts after all others. */
const LAST = '\u{10FFFF}'

/** Selects the rows whose value begins with a text, in a form that an index on the value can serve. */
export const startsWith = (value: SQL, text: string): SQL | undefined =>
  and(gte(value, text), lt(value, text + LAST))

/** Returns a text column as an expression that no index contains, so that no engine uses an index for it. */
export const unindexed = (column: SQLWrapper): SQL => sql`${column} || ''`

/** The same for a column of numbers. */
export const unindexedNumber = (column: SQLWrapper): SQL<number> => sql`${column} + 0`
