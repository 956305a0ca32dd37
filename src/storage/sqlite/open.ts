import { Database } from 'bun:sqlite'
import { mkdirSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { drizzle } from 'drizzle-orm/bun-sqlite'
import { DatabaseError, type StorageHooks } from '../engine.ts'
import { retryLostRaces, StorageGuard } from '../guard.ts'
import type { Storage } from '../port.ts'
import { revocableTables } from '../revocable.ts'
import { tablesOf } from '../tables/index.ts'
import { restrictToOwner } from './files.ts'
import { findDamage } from './integrity.ts'
import { lockShared, openInTurn } from './lock.ts'
import { migrate, pendingMigrations } from './migrate.ts'
import { probe } from './probe.ts'
import { Reader } from './reader.ts'
import { explainUnavailable } from './unavailable.ts'
import { Writer } from './writer.ts'

const BUSY_TIMEOUT_MS = 5000

export const databaseFile = (dataDir: string): string => join(dataDir, 'florin.sqlite')

function openWriter(file: string): Database {
  const database = new Database(file, { create: true, strict: true })
  database.run(`PRAGMA busy_timeout = ${BUSY_TIMEOUT_MS}`)
  // Before anything is written, so that the file of another program or version is not changed.
  pendingMigrations(database)
  const [mode] = database.query<{ journal_mode: string }, []>('PRAGMA journal_mode = WAL').all()
  if (mode?.journal_mode !== 'wal') {
    throw new DatabaseError(`Cannot switch ${file} to WAL mode. Put FLORIN_DATA_DIR on a local file system.`)
  }
  database.run('PRAGMA synchronous = FULL')
  database.run('PRAGMA foreign_keys = ON')
  restrictToOwner(file)
  return database
}

/** Opens and migrates the database. No other process can replace it until `release` is called. */
function openLocked(file: string, now: number): { writing: Database; release: () => void } {
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
  const release = lockShared(dirname(file))
  try {
    const writing = openInTurn(dirname(file), () => {
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

/** Opens the database file. Throws a DatabaseError for a file that is damaged, foreign or too new. */
export function openStorage(
  file: string,
  now: number,
  { onScheduled = () => {}, onSlow = () => {} }: StorageHooks = {},
): Storage {
  const { writing, release } = explainOpening(file, () => openLocked(file, now))
  const reading = openReader(file)
  let scheduled = false
  const writer = new Writer(writing)
  const reader = new Reader(reading)
  const guard = new StorageGuard(onSlow)
  const options = { casing: 'snake_case' } as const
  const tablesForWrite = revocableTables(
    tablesOf(drizzle(writing, options), () => {
      scheduled = true
    }),
  )
  const tablesForRead = revocableTables(tablesOf(drizzle(reading, options), () => {}))
  return {
    async read(work) {
      const calledFrom = new Error()
      guard.assertOutside('A read')
      const run = () => guard.run('read', calledFrom, check => work(tablesForRead(check)))
      return explainUnavailable(() => reader.read(run))
    },
    async write(work) {
      const calledFrom = new Error()
      guard.assertOutside('A write')
      const run = () => guard.run('write', calledFrom, check => work(tablesForWrite(check)))
      const value = await explainUnavailable(() => retryLostRaces(() => writer.write(run)))
      if (scheduled) {
        scheduled = false
        onScheduled()
      }
      return value
    },
    assertOutside: action => guard.assertOutside(action),
    async check() {
      guard.assertOutside('A check')
      await explainUnavailable(() => writer.write(async () => probe(writing)))
    },
    async inspect() {
      guard.assertOutside('An inspection')
      return reader.read(async () => findDamage(reading))
    },
    async close() {
      await writer.idle()
      await reader.close()
      try {
        writing.run('PRAGMA wal_checkpoint(TRUNCATE)')
      } catch {
        // A full or read-only disk. The WAL stays, and the next process reads it.
      }
      writing.close()
      release()
    },
  }
}

function explainOpening<T>(file: string, open: () => T): T {
  try {
    return open()
  } catch (error) {
    if (error instanceof DatabaseError) throw error
    const message = error instanceof Error ? error.message : String(error)
    if (/not a database|malformed|corrupt/.test(message)) {
      throw new DatabaseError(
        `${file} is damaged or is not a SQLite database (${message}). Restore a backup.`,
      )
    }
    throw new DatabaseError(`Cannot open ${file}: ${message}`)
  }
}
