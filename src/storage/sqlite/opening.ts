import { Database } from 'bun:sqlite'
import { existsSync, mkdirSync, renameSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import { DatabaseError, type DatabaseMode, type DatabaseUse } from '../engine.ts'
import { dropChecksum } from './checksum.ts'
import { assertNoMissingCommits, readNote, removeNote } from './commit-note.ts'
import { pruneCopies } from './copies.ts'
import { removeDatabase } from './copy.ts'
import { restrictToOwner, syncDirectory, syncFile } from './files.ts'
import { findDamage } from './integrity.ts'
import { lockExclusive, lockServer, lockShared } from './lock.ts'
import { lossOf } from './loss.ts'
import { type MigrationOutcome, migrate, pendingMigrations } from './migrate.ts'
import { checkMode, decideMode } from './mode.ts'

const BUSY_TIMEOUT_MS = 5000
/** Size to which a checkpoint truncates the WAL. A long read can make the WAL grow far beyond it. */
const WAL_KEPT_BYTES = 16 * 1024 * 1024
/**
 * Number of pages in the WAL from which a commit checkpoints them. A checkpoint takes two more flushes and
 * delays every write behind it. With SQLite's default of 1,000, every hundredth commit of a server with one
 * connection would checkpoint.
 */
const CHECKPOINT_PAGES = 4000

/**
 * Max size of a database that is checked when a server starts. Reading more takes longer than half a second.
 * Doctor and backups check databases of any size.
 */
const READ_AT_START_BYTES = 64 * 1024 * 1024

interface OpenDatabase {
  writing: Database
  /** Allows other processes to replace the database again. */
  release: () => void
}

function openWriter(file: string): Database {
  const noted = readNote(file)
  const database = new Database(file, { readwrite: true, create: false, strict: true })
  try {
    database.run(`PRAGMA busy_timeout = ${BUSY_TIMEOUT_MS}`)
    // Checked before anything is written, because the file of another program or version must not change.
    pendingMigrations(database)
    assertNoMissingCommits(database, file, noted)
    const [mode] = database.query<{ journal_mode: string }, []>('PRAGMA journal_mode = WAL').all()
    if (mode?.journal_mode !== 'wal') {
      const remedy = 'Put FLORIN_DATA_DIR on a local file system.'
      throw new DatabaseError(`Cannot switch ${file} to WAL mode. ${remedy}`)
    }
    database.run('PRAGMA synchronous = FULL')
    database.run('PRAGMA foreign_keys = ON')
    // In memory, because otherwise savepoints write every page that they change to a temporary file.
    database.run('PRAGMA temp_store = MEMORY')
    database.run(`PRAGMA wal_autocheckpoint = ${CHECKPOINT_PAGES}`)
    database.run(`PRAGMA journal_size_limit = ${WAL_KEPT_BYTES}`)
    dropChecksum(database)
    restrictToOwner(file)
    return database
  } catch (error) {
    database.close()
    throw error
  }
}

/** Creates the database under a temporary name, so that a process that is killed meanwhile leaves none. */
function create(file: string, now: number): void {
  if (existsSync(file)) return
  const partial = `${file}.creating`
  removeDatabase(partial)
  const database = new Database(partial, { create: true, strict: true })
  try {
    // A database that is being created has nothing to lose, and the finished file is flushed once.
    database.run('PRAGMA synchronous = OFF')
    database.run('PRAGMA journal_mode = MEMORY')
    migrate(database, partial, now)
    database.run('PRAGMA journal_mode = WAL')
  } finally {
    database.close()
  }
  restrictToOwner(partial)
  syncFile(partial)
  removeNote(file)
  renameSync(partial, file)
  syncDirectory(dirname(file))
}

/** Creates the database for a command. If a server holds the lock, the database exists or is about to. */
function createAsCommand(file: string, now: number): void {
  const unlock = lockServer(dirname(file))
  if (!unlock && !existsSync(file)) {
    throw new DatabaseError(`A server is about to create ${file}. Try again in a moment.`)
  }
  try {
    create(file, now)
  } finally {
    unlock?.()
  }
}

function ensureExists(file: string, now: number, use: DatabaseUse): void {
  if (existsSync(file)) return
  const loss = lossOf(file)
  if (loss) throw new DatabaseError(loss)
  if (use.as === 'server') create(file, now)
  else if (use.mayCreate) createAsCommand(file, now)
  else {
    const remedy = 'Check FLORIN_DATA_DIR, or create the first merchant: florin merchant create.'
    throw new DatabaseError(`No database at ${file}. ${remedy}`)
  }
}

function lockAsServer(dataDir: string): () => void {
  const unlock = lockServer(dataDir)
  if (unlock) return unlock
  throw new DatabaseError(
    `A server is already running on the data directory ${dataDir}. ` +
      'Stop it first, or set FLORIN_DATA_DIR to another directory.',
  )
}

/** Migrates a database that no other process uses. */
export function migrateAlone(file: string, now: number): MigrationOutcome {
  const unlock = lockExclusive(dirname(file))
  if (!unlock) {
    throw new DatabaseError(
      `The database ${file} has to be migrated, but another process is using it. ` +
        'Stop the server that is running and try again.',
    )
  }
  try {
    const database = openWriter(file)
    try {
      return migrate(database, file, now)
    } finally {
      database.close()
    }
  } finally {
    unlock()
  }
}

function openShared(file: string): OpenDatabase & { pending: number } {
  const release = lockShared(dirname(file))
  try {
    const writing = openWriter(file)
    return { writing, release, pending: pendingMigrations(writing).length }
  } catch (error) {
    release()
    throw error
  }
}

function refuseDamage(writing: Database, file: string): void {
  if (statSync(file).size > READ_AT_START_BYTES) return
  const damage = findDamage(writing)
  // The check has filled the cache with pages that are not needed soon.
  writing.run('PRAGMA shrink_memory')
  if (damage === null) return
  const remedy =
    'Restore the newest backup: florin restore FILE --force. ' +
    'To look at what can be read instead, run florin backup FILE --anyway.'
  throw new DatabaseError(`${file} is damaged (${damage}). ${remedy}`)
}

/**
 * Checks the mode and looks for damage before a server uses a database. Commands skip this: they may work on
 * a damaged database, to save what is left.
 */
function checkForServer({ writing, release }: OpenDatabase, file: string, mode: DatabaseMode): void {
  try {
    checkMode(writing, file, mode)
    refuseDamage(writing, file)
  } catch (error) {
    writing.close()
    release()
    throw error
  }
}

/**
 * Opens and migrates the database. Checks its mode first: a server of the other mode must not change
 * anything.
 */
function openCurrent(file: string, now: number, use: DatabaseUse): OpenDatabase {
  const opened = openShared(file)
  if (use.as === 'server') checkForServer(opened, file, use.mode)
  if (opened.pending === 0) return opened
  opened.writing.close()
  opened.release()
  if (use.as === 'command') {
    throw new DatabaseError(
      `The database needs migrations of this version of Florin: ${opened.pending}. ` +
        'Stop the server, then run florin migrate or start the server with this version.',
    )
  }
  migrateAlone(file, now)
  return openShared(file)
}

/**
 * Opens the database, and creates or migrates it if the use allows that. No other process can replace it
 * until `release` is called.
 */
export function openDatabase(file: string, now: number, use: DatabaseUse): OpenDatabase {
  const dataDir = dirname(file)
  if (use.as === 'server' || use.mayCreate) mkdirSync(dataDir, { recursive: true, mode: 0o700 })
  const unlock = use.as === 'server' ? lockAsServer(dataDir) : () => {}
  try {
    ensureExists(file, now, use)
    const { writing, release } = openCurrent(file, now, use)
    if (use.as === 'server') {
      decideMode(writing, use.mode, now)
      pruneCopies(file, now)
    }
    return {
      writing,
      release() {
        release()
        unlock()
      },
    }
  } catch (error) {
    unlock()
    throw error
  }
}
