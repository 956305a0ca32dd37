import type { Database } from 'bun:sqlite'
import { randomBytes } from 'node:crypto'
import { lt, max } from 'drizzle-orm'
import { drizzle } from 'drizzle-orm/bun-sqlite'
import { DatabaseError } from '../engine.ts'
import { writeProbes } from '../schema/index.ts'
import { pendingMigrations } from './migrate.ts'

/** More than one order needs. A disk without that much space may still accept a change of a few bytes. */
const PROBE_BYTES = 128 * 1024

/** Writes as much as an order, inside the caller's transaction. Throws if that fails. */
export function probe(database: Database): void {
  if (pendingMigrations(database).length > 0) {
    throw new DatabaseError('The database has pending migrations.')
  }
  const tables = drizzle(database, { casing: 'snake_case' })
  // The new row is written before the old one is removed, so that it needs its own space.
  tables
    .insert(writeProbes)
    .values({ padding: randomBytes(PROBE_BYTES) })
    .run()
  const newest = tables.select({ id: max(writeProbes.id) }).from(writeProbes)
  tables.delete(writeProbes).where(lt(writeProbes.id, newest)).run()
}
