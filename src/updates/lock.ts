import { Database } from 'bun:sqlite'
import { existsSync } from 'node:fs'
import type { Place } from './place.ts'

/**
 * Prevents two updates of an executable at the same time. Returns a function that releases the lock; null if
 * another process holds it. The lock is one of SQLite, because that works on every system and ends with the
 * process.
 */
export function lockUpdates(file: string): (() => void) | null {
  const database = new Database(file, { create: true })
  try {
    // In memory, because otherwise a journal file would lie beside the lock while it is held.
    database.run('PRAGMA journal_mode = MEMORY')
    database.run('BEGIN EXCLUSIVE')
  } catch (error) {
    database.close()
    if (String((error as { code?: unknown }).code).startsWith('SQLITE_BUSY')) return null
    throw error
  }
  return () => database.close()
}

/** Returns true if an update of the executable is running. Does not create the lock file. */
export function isUpdating({ lock }: Pick<Place, 'lock'>): boolean {
  if (!existsSync(lock)) return false
  const unlock = lockUpdates(lock)
  unlock?.()
  return unlock === null
}
