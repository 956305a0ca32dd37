import { Database } from 'bun:sqlite'
import { existsSync, renameSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'
import { type BackupOptions, type BackupResult, DatabaseError } from '../engine.ts'
import { copyDatabase, removeDatabase } from './copy.ts'
import {
  explainError,
  isDamage,
  isDirectory,
  isFile,
  isSameFile,
  restrictToOwner,
  syncDirectory,
  syncFile,
} from './files.ts'
import { describeFile } from './integrity.ts'
import { lockShared } from './lock.ts'
import { pendingMigrations } from './migrate.ts'

const BUSY_TIMEOUT_MS = 5000

/** Files in the data directory that a backup must not overwrite. */
const ownFiles = [
  /^florin\.sqlite(-wal|-shm|-journal|\.restoring)?$/,
  /^florin\.(lock|serve\.lock|backups?|commits|replica(-owner)?)$/,
  /^sandbox\.sqlite/,
]

function checkTarget(target: string, database: string, force: boolean): void {
  const directory = dirname(target)
  if (!isDirectory(directory)) {
    throw new DatabaseError(`The directory ${directory} does not exist. Create it first.`)
  }
  if (isDirectory(target)) throw new DatabaseError(`${target} is a directory. Specify a file in it.`)
  if (isSameFile(directory, dirname(database)) && ownFiles.some(own => own.test(basename(target)))) {
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

/** Advice for a database that SQLite cannot read. */
const UNREADABLE =
  'Restore a backup: florin restore FILE. Before that, stop the server and copy the whole directory.'

/**
 * Copies the database, which may be in use, and verifies the copy before it gets its final name. A damaged
 * copy is kept only with `anyway`, and is not recorded as a backup.
 */
export function backup(database: string, path: string, { force, anyway }: BackupOptions): BackupResult {
  const target = resolve(path)
  if (!isFile(database)) throw new DatabaseError(`No database at ${database}. Check FLORIN_DATA_DIR.`)
  checkTarget(target, database, force)
  const partial = `${target}.partial`
  const remedy = 'Choose a directory that this user can write to and that has enough free space.'
  return explainError(`Cannot write the backup ${target}`, remedy, () => {
    try {
      copyTo(partial, database)
      const content = describeFile(partial, `The copy of ${database}`)
      if (content.damage !== null && !anyway) throw damagedError(database, content.damage)
      syncFile(partial)
      renameSync(partial, target)
      syncDirectory(dirname(target))
      if (content.damage === null) stamp(database)
      return { file: target, bytes: statSync(target).size, ...content }
    } catch (error) {
      removeDatabase(partial)
      if (!isDamage(error)) throw error
      throw new DatabaseError(`${database} cannot be read (${(error as Error).message}). ${UNREADABLE}`)
    }
  })
}

const damagedError = (database: string, damage: string): DatabaseError =>
  new DatabaseError(
    `The copy of ${database} is damaged (${damage}). Nothing was written. To keep it all the same, ` +
      'use --anyway.',
  )

const stampFile = (database: string): string => join(dirname(database), 'florin.backup')

/** Records the time of the backup beside the database. The copy is valid even if that fails. */
function stamp(database: string): void {
  const file = stampFile(database)
  try {
    writeFileSync(file, '')
    restrictToOwner(file)
    const now = new Date()
    utimesSync(file, now, now)
  } catch {}
}

/** When a backup last succeeded; null if never. */
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
