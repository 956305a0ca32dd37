import { type Column, type SQL, sql } from 'drizzle-orm'
import { param } from './statements.ts'

/**
 * Selects the rows after the parameters `at` and `id` of a prepared query, in a list that is sorted newest
 * first. Compares row values, which an index on both columns can serve.
 */
export const olderThan = (at: Column, id: Column): SQL =>
  sql`(${at}, ${id}) < (${param('at')}, ${param('id')})`
