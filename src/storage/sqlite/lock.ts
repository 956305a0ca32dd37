import { Database } from 'bun:sqlite'
import { join } from 'node:path'
import { giveToOwner, isBusy } from './files.ts'
import { DatabaseError } from './migrate.ts'

const HOLD_WAIT_MS = 5000
const LOCK_WAIT_MS = 1000

/**
 * Who has the database open holds a shared lock on this empty file; who replaces the database holds it alone.
 * The locks are SQLite's, so that they work on every system and end with their process, however it ends.
 */
const lockFile = (dataDir: string): string => join(dataDir, 'florin.lock')

function take(dataDir: string, waitMs: number, lock: (database: Database) => void): () => void {
  const file = lockFile(dataDir)
  const database = new Database(file, { create: true })
  try {
    database.run(`PRAGMA busy_timeout = ${waitMs}`)
    lock(database)
    giveToOwner(file)
  } catch (error) {
    database.close()
    throw error
  }
  return () => database.close()
}

/** Says that the database is in use, until the answer is called. */
export function holdDatabase(dataDir: string): () => void {
  try {
    return take(dataDir, HOLD_WAIT_MS, database => {
      database.run('BEGIN')
      database.run('SELECT 1 FROM sqlite_master')
    })
  } catch (error) {
    if (!isBusy(error)) throw error
    throw new DatabaseError(`A backup is just being restored in ${dataDir}. Try again when that has ended.`)
  }
}

/** Lets those who open the database do this one after the other: the first makes it, and the rest find it. */
export function inTurn<T>(dataDir: string, work: () => T): T {
  const release = take(dataDir, HOLD_WAIT_MS, database => database.run('BEGIN IMMEDIATE'))
  try {
    return work()
  } finally {
    release()
  }
}

/** Keeps everybody from opening the database, until the answer is called; null while somebody has it open. */
export function lockDatabase(dataDir: string): (() => void) | null {
  try {
    return take(dataDir, LOCK_WAIT_MS, database => database.run('BEGIN EXCLUSIVE'))
  } catch (error) {
    if (!isBusy(error)) throw error
    return null
  }
}
