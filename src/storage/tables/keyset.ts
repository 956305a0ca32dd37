import { and, type Column, gte, lt, type SQL, sql } from 'drizzle-orm'
import type { PageStart } from '../../domain/page.ts'
import { param } from './statements.ts'

/**
 * Selects the rows after the parameters `at` and `id` of a prepared query, in a list that is sorted newest
 * first. Compares row values, which an index on both columns can serve.
 */
export const olderThan = (at: Column, id: Column): SQL =>
  sql`(${at}, ${id}) < (${param('at')}, ${param('id')})`

/**
 * Only the tighter of the two upper bounds of a page: with both, SQLite chooses an index without the status,
 * and reads all rows with another status.
 */
export const upperBound = (
  createdTo: number | undefined,
  after: PageStart | null,
): { createdTo: number } | PageStart | null =>
  createdTo !== undefined && (after === null || after.at >= createdTo) ? { createdTo } : after

/** After everything that begins with a text, in the order of the characters' codes. */
const LAST = '\u{10FFFF}'

/** Selects the rows whose value begins with a text, which an index on the value can serve. */
export const startsWith = (value: SQL, text: string): SQL | undefined =>
  and(gte(value, text), lt(value, text + LAST))
