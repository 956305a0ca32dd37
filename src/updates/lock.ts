import { Database } from 'bun:sqlite'
import { existsSync } from 'node:fs'
import type { Place } from './place.ts'

/**
 * Keeps two updates of one executable apart. Returns a function that releases the lock; null if another
 * process holds it. It is a lock of SQLite, which works on every system and ends with the process.
 */
export function lockUpdates(file: string): (() => void) | null {
  const database = new Database(file, { create: true })
  try {
    // Without this, a journal file would lie beside the lock while it is held.
    database.run('PRAGMA journal_mode = MEMORY')
    database.run('BEGIN EXCLUSIVE')
  } catch (error) {
    database.close()
    if (String((error as { code?: unknown }).code).startsWith('SQLITE_BUSY')) return null
    throw error
  }
  return () => database.close()
}

/** Whether an update of the executable is running. Makes no lock where none has ever run. */
export function isUpdating({ lock }: Pick<Place, 'lock'>): boolean {
  if (!existsSync(lock)) return false
  const unlock = lockUpdates(lock)
  unlock?.()
  return unlock === null
}
