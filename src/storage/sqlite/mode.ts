import type { Database } from 'bun:sqlite'
import { drizzle } from 'drizzle-orm/bun-sqlite'
import { DatabaseError, type DatabaseMode } from '../engine.ts'
import { installation } from '../schema/index.ts'

const ID = 1

const remedies: Record<DatabaseMode, string> = {
  sandbox: 'Set FLORIN_SANDBOX=true, or set FLORIN_DATA_DIR to another directory for real payments.',
  live: 'Unset FLORIN_SANDBOX, or set FLORIN_DATA_DIR to another directory for simulated payments.',
}

const descriptions: Record<DatabaseMode, string> = {
  sandbox: 'is a database of the sandbox, whose payments are simulated',
  live: 'is a live database, whose payments are real',
}

/** Returns the mode of a database; null if no server has used it, or if a required migration is pending. */
export function readMode(database: Database): DatabaseMode | null {
  const exists = database.query("SELECT 1 FROM sqlite_master WHERE name = 'installation'").get()
  if (!exists) return null
  return drizzle(database, { casing: 'snake_case' }).select().from(installation).get()?.mode ?? null
}

/** Throws a DatabaseError if the database has the other mode. */
export function checkMode(database: Database, file: string, mode: DatabaseMode): void {
  const decided = readMode(database)
  if (decided === null || decided === mode) return
  throw new DatabaseError(`${file} ${descriptions[decided]}. ${remedies[decided]}`)
}

/** Sets the mode of a database that has none. The caller must be the only server that has it open. */
export function decideMode(database: Database, mode: DatabaseMode, now: number): void {
  if (readMode(database) !== null) return
  const tables = drizzle(database, { casing: 'snake_case' })
  tables.insert(installation).values({ id: ID, mode, decidedAt: now }).run()
}
