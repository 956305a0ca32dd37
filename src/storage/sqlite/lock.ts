import { Database } from 'bun:sqlite'
import { join } from 'node:path'
import { DatabaseError } from '../engine.ts'
import { isBusy, restrictToOwner } from './files.ts'

const SHARED_WAIT_MS = 5000
const EXCLUSIVE_WAIT_MS = 1000
const SERVER_WAIT_MS = 2000

/**
 * The lock file of a data directory, which is empty. Every process that has the database open holds a shared
 * lock on it. A process that replaces the database holds an exclusive lock. The locks are SQLite's own: they
 * work on every system and end with the process.
 */
export const lockFile = (dataDir: string): string => join(dataDir, 'florin.lock')

function acquire(file: string, waitMs: number, lock: (database: Database) => void): () => void {
  const database = new Database(file, { create: true })
  try {
    database.run(`PRAGMA busy_timeout = ${waitMs}`)
    lock(database)
    restrictToOwner(file)
  } catch (error) {
    database.close()
    throw error
  }
  return () => database.close()
}

const lockAlone = (database: Database): void => {
  // In memory, because otherwise a journal file would lie beside the lock while it is held.
  database.run('PRAGMA journal_mode = MEMORY')
  database.run('BEGIN EXCLUSIVE')
}

/** Marks the database as in use. Returns a function that releases the lock. */
export function lockShared(dataDir: string): () => void {
  try {
    return acquire(lockFile(dataDir), SHARED_WAIT_MS, database => {
      database.run('BEGIN')
      database.run('SELECT 1 FROM sqlite_master')
    })
  } catch (error) {
    if (!isBusy(error)) throw error
    throw new DatabaseError(`A backup is being restored in ${dataDir}. Try again when it has finished.`)
  }
}

/**
 * Takes the lock of the directory's server, which a command that creates the database takes too. Returns a
 * function that releases it; null if another process holds it. Waiting blocks this process.
 */
export function lockServer(dataDir: string, waitMs: number = SERVER_WAIT_MS): (() => void) | null {
  try {
    return acquire(join(dataDir, 'florin.serve.lock'), waitMs, lockAlone)
  } catch (error) {
    if (!isBusy(error)) throw error
    return null
  }
}

/**
 * Keeps other processes from opening the database. Returns a function that releases the lock; null if the
 * database is in use.
 */
export function lockExclusive(dataDir: string): (() => void) | null {
  try {
    return acquire(lockFile(dataDir), EXCLUSIVE_WAIT_MS, lockAlone)
  } catch (error) {
    if (!isBusy(error)) throw error
    return null
  }
}
