import { existsSync, readdirSync, statSync } from 'node:fs'
import { basename, dirname } from 'node:path'
import { lockFile } from './lock.ts'

/** Part of the new name of a database file whose rows were moved to a server. */
export const MOVED = 'moved'

/** Returns a text that says that a missing file was moved to a server; null if it was not. */
export function movedText(file: string): string | null {
  const folder = dirname(file)
  if (!existsSync(folder)) return null
  const moved = readdirSync(folder).findLast(name => name.startsWith(`${basename(file)}.${MOVED}-`))
  if (moved === undefined) return null
  return (
    `The shop of ${file} was moved to PostgreSQL. Set FLORIN_DATABASE_URL. What was the database until ` +
    `then is ${moved}; do not use it again, or orders of the meantime are missing.`
  )
}

/** Returns a file that shows that there was a database: its WAL, or the lock file of its directory. */
function traceOf(file: string): string | undefined {
  const wal = `${file}-wal`
  if (existsSync(wal) && statSync(wal).size > 0) return wal
  return [lockFile(dirname(file))].find(existsSync)
}

/** Returns the reason why an expected database is missing; null if there was none yet. */
export function lossOf(file: string): string | null {
  const trace = traceOf(file)
  if (trace === undefined || existsSync(file)) return null
  const moved = movedText(file)
  if (moved) return moved
  return (
    `${file} is missing, but ${trace} shows that it was there. Check that the disk is mounted and ` +
    `FLORIN_DATA_DIR is right, or restore a backup. To start with an empty database, remove ${trace}.`
  )
}
