import { type Column, type SQL, sql } from 'drizzle-orm'
import type { PageStart } from '../../domain/page.ts'

/**
 * Selects the rows after `after` in a list that is sorted newest first. Compares row values, which an index
 * on both columns can serve.
 */
export const olderThan = (at: Column, id: Column, after: PageStart | null): SQL | undefined =>
  after === null ? undefined : sql`(${at}, ${id}) < (${after.at}, ${after.id})`

/** Selects the rows after `after` in a list that is sorted oldest first. */
export const newerThan = (at: Column, id: Column, after: PageStart | null): SQL | undefined =>
  after === null ? undefined : sql`(${at}, ${id}) > (${after.at}, ${after.id})`
