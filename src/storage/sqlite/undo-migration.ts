import { Database } from 'bun:sqlite'
import { copyFileSync, existsSync } from 'node:fs'
import { dirname } from 'node:path'
import { DatabaseError, type UndoneMigration } from '../engine.ts'
import { countCommits } from './commit-note.ts'
import { listCopies } from './copies.ts'
import { removeDatabase } from './copy.ts'
import { explainError, restrictToOwner, syncFile } from './files.ts'
import { leaveWalMode, replaceDatabase } from './restore.ts'

function commitsIn(file: string): number | null {
  const database = new Database(file, { readwrite: true, create: false })
  try {
    return countCommits(database)
  } finally {
    database.close()
  }
}

/**
 * Thrown if something was written since the migration, because each write may be an order or a payment that a
 * shop already knows.
 */
class WrittenSince extends DatabaseError {}

/**
 * Puts back the copy that the last migration made. Returns null, and changes nothing, if there is none or
 * something was written since.
 */
export function undoMigration(database: string, now: number): UndoneMigration | null {
  const [copy] = listCopies(database, ['before'])
  if (copy === undefined || !existsSync(database)) return null
  const before = commitsIn(copy.file)
  const partial = `${database}.restoring`
  const remedy = `${dirname(database)} must be writable and have enough free space.`
  return explainError(`Cannot put back ${copy.file}`, remedy, () => {
    try {
      removeDatabase(partial)
      copyFileSync(copy.file, partial)
      restrictToOwner(partial)
      syncFile(partial)
      const check = (): void => {
        // Moves the content of the write-ahead log to the file.
        leaveWalMode(database)
        if (before === null || commitsIn(database) !== before) throw new WrittenSince()
      }
      const replaced = replaceDatabase(partial, database, check, now)
      return replaced === null ? null : { copy: copy.file, replaced }
    } catch (error) {
      removeDatabase(partial)
      if (error instanceof WrittenSince) return null
      throw error
    }
  })
}
