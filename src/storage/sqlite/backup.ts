import { Database } from 'bun:sqlite'
import { existsSync, renameSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'
import { type BackupResult, DatabaseError } from '../engine.ts'
import { copyDatabase, removeDatabase } from './copy.ts'
import { explainError } from './explain-error.ts'
import { isDirectory, isFile, isSameFile, restrictToOwner, syncDirectory, syncFile } from './files.ts'
import { verifyFile } from './integrity.ts'
import { lockShared } from './lock.ts'
import { pendingMigrations } from './migrate.ts'

const BUSY_TIMEOUT_MS = 5000

/** The files in the data directory that a backup must not replace. */
const ownFiles =
  /^(florin\.(sqlite(-wal|-shm|-journal|\.restoring)?|lock|serve\.lock|backup|commits)|sandbox\.sqlite.*)$/

function checkTarget(target: string, database: string, force: boolean): void {
  const directory = dirname(target)
  if (!isDirectory(directory)) {
    throw new DatabaseError(`The directory ${directory} does not exist. Create it first.`)
  }
  if (isDirectory(target)) throw new DatabaseError(`${target} is a directory. Specify a file in it.`)
  if (isSameFile(directory, dirname(database)) && ownFiles.test(basename(target))) {
    throw new DatabaseError(`${target} is used by Florin. Choose another file.`)
  }
  if (!existsSync(target)) return
  if (!isFile(target)) throw new DatabaseError(`${target} is not a regular file. Choose another file.`)
  if (isSameFile(target, database)) {
    throw new DatabaseError(`${target} is the database itself. Choose another file.`)
  }
  if (!force) {
    throw new DatabaseError(`${target} already exists. Choose another file, or use --force to replace it.`)
  }
}

/** Copies the database, which may be in use, and verifies the copy before it gets its final name. */
export function backup(database: string, path: string, force: boolean): BackupResult {
  const target = resolve(path)
  if (!isFile(database)) throw new DatabaseError(`No database at ${database}. Check FLORIN_DATA_DIR.`)
  checkTarget(target, database, force)
  const partial = `${target}.partial`
  const remedy = 'Choose a directory that this user can write to and that has enough free space.'
  return explainError(`Cannot write the backup ${target}`, remedy, () => {
    try {
      copyTo(partial, database)
      const content = verifyFile(partial, `The copy of ${database}`)
      syncFile(partial)
      renameSync(partial, target)
      syncDirectory(dirname(target))
      stamp(database)
      return { file: target, bytes: statSync(target).size, ...content }
    } catch (error) {
      removeDatabase(partial)
      throw error
    }
  })
}

const stampFile = (database: string): string => join(dirname(database), 'florin.backup')

/** Notes the time of the backup beside the database. The copy is good even if that fails. */
function stamp(database: string): void {
  const file = stampFile(database)
  try {
    writeFileSync(file, '')
    restrictToOwner(file)
    const now = new Date()
    utimesSync(file, now, now)
  } catch {}
}

/** When a backup last succeeded; null if none ever did. */
export function lastBackupAt(database: string): number | null {
  const file = stampFile(database)
  return existsSync(file) ? statSync(file).mtimeMs : null
}

function copyTo(target: string, database: string): void {
  const release = lockShared(dirname(database))
  try {
    const source = new Database(database, { readwrite: true, create: false, strict: true })
    try {
      source.run(`PRAGMA busy_timeout = ${BUSY_TIMEOUT_MS}`)
      pendingMigrations(source)
      copyDatabase(source, target)
    } finally {
      source.close()
    }
  } finally {
    release()
  }
}
