import { Database } from 'bun:sqlite'
import { randomBytes } from 'node:crypto'
import { dirname, join } from 'node:path'
import { lt, max } from 'drizzle-orm'
import { drizzle } from 'drizzle-orm/bun-sqlite'
import { DatabaseError, type DatabaseUse, type OpenHooks } from '../engine.ts'
import { StorageGuard } from '../guard.ts'
import { type Hooks, makeStorage, tablesForReads, tablesForWrites, withoutHooks } from '../make-storage.ts'
import type { Storage } from '../port.ts'
import { writeProbes } from '../schema/index.ts'
import { SqliteChanges } from './change-source.ts'
import { CommitNote } from './commit-note.ts'
import { findDamage } from './integrity.ts'
import { KeptRows } from './kept-rows.ts'
import { lockServer } from './lock.ts'
import { pendingMigrations } from './migrate.ts'
import { openDatabase } from './opening.ts'
import { Reader } from './reader.ts'
import { queryBuilder } from './session.ts'
import { explainUnavailable } from './unavailable.ts'
import { Writer } from './writer.ts'

/**
 * Bytes that a probe writes: more than an order needs. A disk without as much space may still accept a small
 * change.
 */
const PROBE_BYTES = 128 * 1024

/** Writes more than an order needs, inside the caller's transaction. Throws if that fails. */
function probe(database: Database): void {
  if (pendingMigrations(database).length > 0) {
    throw new DatabaseError('The database has pending migrations.')
  }
  const tables = drizzle(database, { casing: 'snake_case' })
  // The new row is written before the old one is deleted, so that it needs space of its own.
  tables
    .insert(writeProbes)
    .values({ padding: randomBytes(PROBE_BYTES) })
    .run()
  const newest = tables.select({ id: max(writeProbes.id) }).from(writeProbes)
  tables.delete(writeProbes).where(lt(writeProbes.id, newest)).run()
}

const BUSY_TIMEOUT_MS = 5000

export const databaseFile = (dataDir: string): string => join(dataDir, 'florin.sqlite')

function openReader(file: string): Database {
  const database = new Database(file, { readonly: true, strict: true })
  database.run(`PRAGMA busy_timeout = ${BUSY_TIMEOUT_MS}`)
  return database
}

/** Returns the tables of the writing connection, and its writer. */
function openWriter(writing: Database, file: string, hooks: Hooks) {
  const note = new CommitNote(writing, file)
  const kept = new KeptRows(writing)
  const dataVersion = writing.prepare<{ data_version: number }, []>('PRAGMA data_version')
  const use = tablesForWrites(queryBuilder(writing), hooks, name => kept.changed(name))
  const { tables, group } = use
  const writer = new Writer(writing, {
    begin() {
      group.begin(dataVersion.get()?.data_version)
      note.begin()
    },
    end(isKept) {
      group.end(isKept)
      note.end(isKept)
    },
    async beforeCommit() {
      await tables.statistics.flush()
      note.count()
    },
    afterCommit(ms) {
      note.write()
      group.committed()
      kept.committed()
      hooks.onCommit(ms)
    },
    close: () => note.close(),
  })
  return { writer, kept, use }
}

function emptyWal(database: Database): void {
  try {
    // Another process may read for any length of time, so don't wait for it.
    database.run('PRAGMA busy_timeout = 0')
    database.run('PRAGMA wal_checkpoint(TRUNCATE)')
  } catch {
    // The disk is full or read-only. The WAL is kept, and the next process reads it.
  }
}

function startReplica(file: string, writing: Database, start: NonNullable<OpenHooks['replicate']>) {
  const source = new SqliteChanges(file, writing)
  const sink = start(source)
  return {
    async stop() {
      await sink.stop()
      source.stop()
    },
    close: () => source.close(),
  }
}

/**
 * Opens the database file. Throws a DatabaseError if it is damaged, too new or belongs to another program.
 */
export function openStorage(
  file: string,
  now: number,
  hooks: OpenHooks = {},
  use: DatabaseUse = { as: 'command', mayCreate: true },
): Storage {
  const given = { ...withoutHooks, ...hooks }
  const { writing, release } = explainOpening(file, () => openDatabase(file, now, use))
  const reading = openReader(file)
  const { writer, kept, use: writes } = openWriter(writing, file, given)
  const replica = hooks.replicate && startReplica(file, writing, hooks.replicate)
  const reader = new Reader(reading)
  const reads = tablesForReads(queryBuilder(reading))
  return makeStorage({
    isShared: false,
    guard: new StorageGuard(given.onSlow),
    explain: explainUnavailable,
    onReader: run => reader.read(() => run(reads)),
    onWriter: run => writer.write(() => run(writes)),
    kept,
    clockAhead: () => 0,
    servers: () => 1,
    check: () => writer.write(async () => probe(writing)),
    inspect: () => reader.read(async () => findDamage(reading)),
    compact: () => compact(file, writing, writer),
    async close() {
      await writer.close()
      await reader.close()
      await replica?.stop()
      emptyWal(writing)
      writing.close()
      replica?.close()
      release()
    },
  })
}

export function explainOpening<T>(file: string, open: () => T): T {
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

/** Rewrites the database file and empties its WAL. Returns false if a server is running. */
async function compact(file: string, database: Database, writer: Writer): Promise<boolean> {
  // Don't wait for the lock: the server itself may call this, and would block on its own lock.
  const unlock = lockServer(dirname(file), 0)
  if (!unlock) return false
  try {
    await writer.idle()
    database.run('VACUUM')
    const [result] = database.query<{ busy: number }, []>('PRAGMA wal_checkpoint(TRUNCATE)').all()
    return result?.busy === 0
  } finally {
    unlock()
  }
}
