import type { Database } from 'bun:sqlite'
import { existsSync } from 'node:fs'
import { migrations } from '../../../migrations/index.ts'
import { copyTo } from './copy.ts'
import { stampOf } from './files.ts'

interface Migration {
  /** NNNN_what */
  name: string
  sql: string
}

/** What stands between this program and a database file; its message is for the operator. */
export class DatabaseError extends Error {}

function appliedMigrations(database: Database): string[] {
  const known = database
    .query("SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = 'migrations'")
    .all()
  if (known.length === 0) return []
  return database
    .query<{ name: string }, []>('SELECT name FROM migrations ORDER BY name')
    .all()
    .map(row => row.name)
}

/** What is still to be applied. Refuses a database that another or a newer program wrote. */
export function pendingMigrations(database: Database, all: Migration[] = migrations): Migration[] {
  const applied = appliedMigrations(database)
  const unknown = applied.find((name, i) => all[i]?.name !== name)
  if (unknown) {
    throw new DatabaseError(
      `The database was written by a newer Florin (it has the migration ${unknown}). ` +
        'Start that version, or restore an older backup.',
    )
  }
  if (
    applied.length === 0 &&
    database.query("SELECT 1 FROM sqlite_master WHERE type = 'table'").all().length > 0
  ) {
    throw new DatabaseError(
      'The database file holds tables of another program. Choose another FLORIN_DATA_DIR.',
    )
  }
  return all.slice(applied.length)
}

/**
 * Brings the database forward; each migration and its bookkeeping row in one transaction, after a dated copy.
 */
export function migrate(
  database: Database,
  file: string,
  now: number,
  all: Migration[] = migrations,
): string[] {
  const pending = pendingMigrations(database, all)
  if (pending.length === 0) return []
  if (appliedMigrations(database).length > 0) copyBefore(database, file, now)
  const [keys] = database.query<{ foreign_keys: number }, []>('PRAGMA foreign_keys').all()
  // A table that is made anew goes away for a moment, which its children would not let happen.
  database.run('PRAGMA foreign_keys = OFF')
  for (const { name, sql } of pending) {
    database.transaction(() => {
      // With the first migration or not at all: alone it would pass for a table of another program.
      database.run(
        'CREATE TABLE IF NOT EXISTS migrations (name TEXT PRIMARY KEY, applied_at INTEGER NOT NULL) STRICT',
      )
      database.run(sql)
      const orphans = database.query('PRAGMA foreign_key_check').values()
      if (orphans.length > 0)
        throw new DatabaseError(`${name} leaves ${orphans.length} rows that refer to nothing`)
      database.run('INSERT INTO migrations (name, applied_at) VALUES (?, ?)', [name, now])
    })()
  }
  database.run(`PRAGMA foreign_keys = ${keys?.foreign_keys ?? 1}`)
  return pending.map(migration => migration.name)
}

function copyBefore(database: Database, file: string, now: number): void {
  if (existsSync(file)) copyTo(database, `${file}.before-${stampOf(now)}`)
}
