import type { Database } from 'bun:sqlite'
import { closeSync, openSync, rmSync } from 'node:fs'
import { besides, giveToOwner } from './files.ts'

/** Removes a database file that nobody needs, and what a killed process may have left beside it. */
export function discard(file: string): void {
  for (const end of ['', ...besides]) rmSync(`${file}${end}`, { force: true })
}

/**
 * Copies a database as it is at this instant, in place of a left-over copy. Others may write meanwhile. The
 * file itself is never opened by other means: closing that would give up this process's locks on it.
 */
export function copyTo(database: Database, file: string): void {
  discard(file)
  closeSync(openSync(file, 'wx', 0o600))
  database.run('VACUUM INTO ?', [file])
  giveToOwner(file)
}
