import { type Column, type SQL, sql } from 'drizzle-orm'
import type { PageStart } from '../../domain/page.ts'

/** The rows that come after one, newest first. A row value, so that the index of the order serves it. */
export const olderThan = (at: Column, id: Column, after: PageStart | null): SQL | undefined =>
  after === null ? undefined : sql`(${at}, ${id}) < (${after.at}, ${after.id})`
