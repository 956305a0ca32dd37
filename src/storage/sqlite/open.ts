import { Database } from 'bun:sqlite'
import { mkdirSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { drizzle } from 'drizzle-orm/bun-sqlite'
import { again, type SlowWork, StorageGuard } from '../guard.ts'
import type { Storage } from '../port.ts'
import { revocableTables } from '../revocable.ts'
import { tablesOf } from '../tables/index.ts'
import { giveToOwner } from './files.ts'
import { damageOf } from './integrity.ts'
import { holdDatabase, inTurn } from './lock.ts'
import { DatabaseError, migrate, pendingMigrations } from './migrate.ts'
import { Reader } from './reader.ts'
import { Writer } from './writer.ts'

const BUSY_TIMEOUT_MS = 5000

export const databaseFile = (dataDir: string): string => join(dataDir, 'florin.sqlite')

/** Opens the file for writing, as every command that writes and the server do. */
function openWriter(file: string): Database {
  const database = new Database(file, { create: true, strict: true })
  database.run(`PRAGMA busy_timeout = ${BUSY_TIMEOUT_MS}`)
  // Before anything is written: a file that is not ours stays as it is.
  pendingMigrations(database)
  const [mode] = database.query<{ journal_mode: string }, []>('PRAGMA journal_mode = WAL').all()
  if (mode?.journal_mode !== 'wal') throw new DatabaseError(`${file} cannot be put into WAL mode`)
  database.run('PRAGMA synchronous = FULL')
  database.run('PRAGMA foreign_keys = ON')
  giveToOwner(file)
  return database
}

/** Nobody may replace the file from before it is opened until it is closed. */
function openHeld(file: string, now: number): { writing: Database; release: () => void } {
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
  const release = holdDatabase(dirname(file))
  try {
    const writing = inTurn(dirname(file), () => {
      const database = openWriter(file)
      migrate(database, file, now)
      return database
    })
    return { writing, release }
  } catch (error) {
    release()
    throw error
  }
}

function openReader(file: string): Database {
  const database = new Database(file, { readonly: true, strict: true })
  database.run(`PRAGMA busy_timeout = ${BUSY_TIMEOUT_MS}`)
  return database
}

/**
 * Opens the one database file, migrating it first. `onScheduled` is called after each commit in which a job
 * was scheduled, `onSlow` after work that held the database for too long. Throws a DatabaseError for a file
 * that is damaged, foreign or newer than this program.
 */
export function openStorage(
  file: string,
  now: number,
  onScheduled: () => void = () => {},
  onSlow: (work: SlowWork) => void = () => {},
): Storage {
  const { writing, release } = withDatabaseErrors(file, () => openHeld(file, now))
  const reading = openReader(file)
  let scheduled = false
  const writer = new Writer(writing)
  const reader = new Reader(reading)
  const guard = new StorageGuard(onSlow)
  const options = { casing: 'snake_case' } as const
  const tablesUntil = revocableTables(
    tablesOf(drizzle(writing, options), () => {
      scheduled = true
    }),
  )
  const readTablesUntil = revocableTables(tablesOf(drizzle(reading, options), () => {}))
  return {
    async read(work) {
      const calledFrom = new Error()
      guard.assertOutside('A read')
      return reader.read(() => guard.run('read', calledFrom, check => work(readTablesUntil(check))))
    },
    async write(work) {
      const calledFrom = new Error()
      guard.assertOutside('A write')
      const run = () => guard.run('write', calledFrom, check => work(tablesUntil(check)))
      const value = await again(() => writer.write(run))
      if (scheduled) {
        scheduled = false
        onScheduled()
      }
      return value
    },
    assertOutside: action => guard.assertOutside(action),
    async check() {
      guard.assertOutside('A check')
      await writer.write(async () => {
        if (pendingMigrations(writing).length > 0) throw new DatabaseError('migrations are pending')
        writing.run(
          'UPDATE migrations SET applied_at = applied_at WHERE name = (SELECT MIN(name) FROM migrations)',
        )
      })
    },
    async inspect() {
      guard.assertOutside('An inspection')
      return reader.read(async () => damageOf(reading))
    },
    async close() {
      await writer.idle()
      await reader.close()
      writing.run('PRAGMA wal_checkpoint(TRUNCATE)')
      writing.close()
      release()
    },
  }
}

function withDatabaseErrors<T>(file: string, open: () => T): T {
  try {
    return open()
  } catch (error) {
    if (error instanceof DatabaseError) throw error
    const message = error instanceof Error ? error.message : String(error)
    if (/not a database|malformed|corrupt/.test(message)) {
      throw new DatabaseError(`${file} is damaged or is no SQLite database (${message}). Restore a backup.`)
    }
    throw new DatabaseError(`${file} cannot be opened: ${message}`)
  }
}
