import type { Database } from 'bun:sqlite'
import { closeSync, openSync, rmSync } from 'node:fs'
import { restrictToOwner, sideFileSuffixes } from './files.ts'

/** Removes a database file and the files that a killed process may have left beside it. */
export function removeDatabase(file: string): void {
  for (const suffix of ['', ...sideFileSuffixes]) rmSync(`${file}${suffix}`, { force: true })
}

/**
 * Copies an open database to a file, and replaces the file if it exists. Others may write to the database at
 * the same time. SQLite makes the copy, because opening and closing the database file here would release this
 * process's locks on it.
 */
export function copyDatabase(database: Database, file: string): void {
  removeDatabase(file)
  closeSync(openSync(file, 'wx', 0o600))
  database.run('VACUUM INTO ?', [file])
  restrictToOwner(file)
}
