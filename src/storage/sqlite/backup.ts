import { Database } from 'bun:sqlite'
import { existsSync, renameSync, statSync } from 'node:fs'
import { basename, dirname, resolve } from 'node:path'
import { copyTo, discard } from './copy.ts'
import { explainError } from './explain-error.ts'
import { isFile, isFolder, isSameFile, syncFile, syncFolder } from './files.ts'
import { type Content, examine } from './integrity.ts'
import { holdDatabase } from './lock.ts'
import { DatabaseError, pendingMigrations } from './migrate.ts'

const BUSY_TIMEOUT_MS = 5000

interface Backup extends Content {
  file: string
  bytes: number
}

function refuseTarget(target: string, database: string, isForced: boolean): void {
  const folder = dirname(target)
  if (!isFolder(folder)) throw new DatabaseError(`There is no folder ${folder}. Make it first.`)
  if (isFolder(target)) throw new DatabaseError(`${target} is a folder. Name a file in it.`)
  const isInside = isSameFile(folder, dirname(database))
  if (
    isInside &&
    /^(florin\.sqlite(-wal|-shm|-journal|\.restoring)?|florin\.lock|sandbox\.sqlite.*)$/.test(
      basename(target),
    )
  )
    throw new DatabaseError(`${target} is a file that Florin works with. Name another one.`)
  if (!existsSync(target)) return
  if (!isFile(target)) throw new DatabaseError(`${target} is no ordinary file. Name another one.`)
  if (isSameFile(target, database)) throw new DatabaseError(`${target} is the database itself.`)
  if (!isForced) throw new DatabaseError(`${target} is there already. Name another file, or use --force.`)
}

/** Copies the database, which may be in use, and checks the copy; only then it gets its name. */
export function backup(database: string, named: string, isForced: boolean): Backup {
  const target = resolve(named)
  if (!isFile(database)) {
    throw new DatabaseError(`There is no database at ${database}. Check FLORIN_DATA_DIR.`)
  }
  refuseTarget(target, database, isForced)
  const part = `${target}.partial`
  const remedy = 'Choose a folder that this user may write, with enough free space.'
  return explainError(`The backup ${target} could not be made`, remedy, () => {
    try {
      copyOf(database, part)
      const content = examine(part, `The copy of ${database}`)
      syncFile(part)
      renameSync(part, target)
      syncFolder(dirname(target))
      return { file: target, bytes: statSync(target).size, ...content }
    } catch (error) {
      discard(part)
      throw error
    }
  })
}

function copyOf(database: string, part: string): void {
  const release = holdDatabase(dirname(database))
  try {
    const source = new Database(database, { readwrite: true, create: false, strict: true })
    try {
      source.run(`PRAGMA busy_timeout = ${BUSY_TIMEOUT_MS}`)
      pendingMigrations(source)
      copyTo(source, part)
    } finally {
      source.close()
    }
  } finally {
    release()
  }
}
