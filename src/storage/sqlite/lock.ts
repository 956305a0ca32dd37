import { Database } from 'bun:sqlite'
import { join } from 'node:path'
import { DatabaseError } from '../engine.ts'
import { isBusy, restrictToOwner } from './files.ts'

const SHARED_WAIT_MS = 5000
const EXCLUSIVE_WAIT_MS = 1000

/**
 * Every process that has the database open holds a shared lock on this empty file. A process that replaces
 * the database holds an exclusive lock. The locks are SQLite's own, so they work on every system and end with
 * the process.
 */
const lockFile = (dataDir: string): string => join(dataDir, 'florin.lock')

function acquire(dataDir: string, waitMs: number, lock: (database: Database) => void): () => void {
  const file = lockFile(dataDir)
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

/** Marks the database as in use. Returns a function that releases the lock. */
export function lockShared(dataDir: string): () => void {
  try {
    return acquire(dataDir, SHARED_WAIT_MS, database => {
      database.run('BEGIN')
      database.run('SELECT 1 FROM sqlite_master')
    })
  } catch (error) {
    if (!isBusy(error)) throw error
    throw new DatabaseError(`A backup is being restored in ${dataDir}. Try again when it has finished.`)
  }
}

/** Runs work that opens the database while no other process does, so that only one of them creates it. */
export function openInTurn<T>(dataDir: string, work: () => T): T {
  const release = acquire(dataDir, SHARED_WAIT_MS, database => database.run('BEGIN IMMEDIATE'))
  try {
    return work()
  } finally {
    release()
  }
}

/**
 * Keeps others from opening the database. Returns a function that releases the lock; null if it is in use.
 */
export function lockExclusive(dataDir: string): (() => void) | null {
  try {
    return acquire(dataDir, EXCLUSIVE_WAIT_MS, database => database.run('BEGIN EXCLUSIVE'))
  } catch (error) {
    if (!isBusy(error)) throw error
    return null
  }
}
