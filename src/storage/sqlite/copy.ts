import type { Database } from 'bun:sqlite'
import { closeSync, openSync, rmSync } from 'node:fs'
import { restrictToOwner, sideFileSuffixes } from './files.ts'

/** Removes a database file, and the side files that a killed process may have left. */
export function removeDatabase(file: string): void {
  for (const suffix of ['', ...sideFileSuffixes]) rmSync(`${file}${suffix}`, { force: true })
}

/**
 * Copies an open database to a file, which is replaced. Other processes may write to the database meanwhile.
 * SQLite makes the copy: if this process opened and closed the file itself, that would release its locks.
 */
export function copyDatabase(database: Database, file: string): void {
  removeDatabase(file)
  closeSync(openSync(file, 'wx', 0o600))
  database.run('VACUUM INTO ?', [file])
  restrictToOwner(file)
}
