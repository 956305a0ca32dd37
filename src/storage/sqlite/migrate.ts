import type { Database } from 'bun:sqlite'
import { renameSync } from 'node:fs'
import { migrations } from '../../../migrations/index.ts'
import { DatabaseError } from '../engine.ts'
import {
  type AppliedMigration,
  compareSchema,
  hashOf,
  type Migration,
  type SchemaState,
  unreleasedVersion,
} from '../migrations.ts'
import { removeEarlierTries } from './copies.ts'
import { copyDatabase, removeDatabase } from './copy.ts'
import { fileTimestamp } from './files.ts'

const otherProgram = (): DatabaseError =>
  new DatabaseError('The database file contains tables of another program. Choose another FLORIN_DATA_DIR.')

const ELSEWHERE = 'Set FLORIN_DATA_DIR to a new directory'

function appliedMigrations(database: Database): AppliedMigration[] {
  const columns = database
    .query<{ name: string }, []>("SELECT name FROM pragma_table_info('migrations')")
    .all()
    .map(({ name }) => name)
  if (columns.length === 0) return []
  if (!columns.includes('name') || !columns.includes('applied_at')) throw otherProgram()
  if (!columns.includes('hash') || !columns.includes('expands')) throw unreleasedVersion(ELSEWHERE)
  return database
    .query<AppliedMigration, []>('SELECT name, hash, expands FROM migrations ORDER BY name')
    .all()
}

/** Compares the schema with that of this version. Throws a DatabaseError if this version cannot use it. */
export function readSchema(database: Database, all = migrations): SchemaState {
  const applied = appliedMigrations(database)
  const state = compareSchema(applied, ELSEWHERE, all)
  const tables = database.query("SELECT 1 FROM sqlite_master WHERE type = 'table'").all()
  if (applied.length === 0 && tables.length > 0) throw otherProgram()
  return state
}

/** Returns the pending migrations. Throws like `readSchema`. */
export const pendingMigrations = (database: Database, all?: Migration[]): Migration[] =>
  readSchema(database, all).pending

export interface MigrationOutcome {
  /** the names of the migrations that were applied */
  migrations: string[]
  /** the dated copy from before the migration; null if there was nothing to copy */
  copy: string | null
}

/** Applies pending migrations, each in a transaction. Before that, copies the database if it has content. */
export function migrate(database: Database, file: string, now: number, all?: Migration[]): MigrationOutcome {
  const pending = pendingMigrations(database, all)
  if (pending.length === 0) return { migrations: [], copy: null }
  const copy = appliedMigrations(database).length > 0 ? copyBeforeMigrating(database, file, now) : null
  const [enforced] = database.query<{ foreign_keys: number }, []>('PRAGMA foreign_keys').all()
  // Rebuilding a table drops it for a moment, which foreign keys would not allow.
  database.run('PRAGMA foreign_keys = OFF')
  for (const migration of pending) applyOrExplain(database, migration, now)
  database.run(`PRAGMA foreign_keys = ${enforced?.foreign_keys ?? 1}`)
  return { migrations: pending.map(({ name }) => name), copy }
}

function apply(database: Database, migration: Migration, now: number): void {
  const { name, sql } = migration
  database.transaction(() => {
    // In the same transaction as the first migration, because a database with only this table would be
    // refused.
    database.run(
      'CREATE TABLE IF NOT EXISTS migrations ' +
        '(name TEXT PRIMARY KEY, hash TEXT NOT NULL, applied_at INTEGER NOT NULL, ' +
        'expands INTEGER NOT NULL) STRICT',
    )
    database.run(sql)
    const orphans = database.query('PRAGMA foreign_key_check').values().length
    if (orphans > 0) {
      throw new DatabaseError(`The migration ${name} leaves rows with missing references: ${orphans}.`)
    }
    database.run('INSERT INTO migrations (name, hash, applied_at, expands) VALUES (?, ?, ?, ?)', [
      name,
      hashOf(migration),
      now,
      migration.expands ? 1 : 0,
    ])
  })()
}

function applyOrExplain(database: Database, migration: Migration, now: number): void {
  try {
    apply(database, migration, now)
  } catch (error) {
    if (error instanceof DatabaseError) throw error
    const reason = error instanceof Error ? error.message : String(error)
    throw new DatabaseError(
      `The migration ${migration.name} failed and changed nothing: ${reason}. ` +
        'Use the previous version of Florin until this is solved.',
    )
  }
}

/**
 * Copies the database before a migration. Only one copy is kept, even if the same migration fails many times.
 */
function copyBeforeMigrating(database: Database, file: string, now: number): string {
  const copy = `${file}.before-${fileTimestamp(now)}`
  const partial = `${file}.copying`
  try {
    copyDatabase(database, partial)
    renameSync(partial, copy)
  } catch (error) {
    removeDatabase(partial)
    throw error
  }
  removeEarlierTries(file, copy)
  return copy
}
