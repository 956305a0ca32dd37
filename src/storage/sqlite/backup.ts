import { Database } from 'bun:sqlite'
import { existsSync, renameSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'
import { type BackupOptions, type BackupResult, DatabaseError } from '../engine.ts'
import { addChecksum } from './checksum.ts'
import { countCommits, findMissingCommits, type MissingCommits, readNote } from './commit-note.ts'
import { copyDatabase, removeDatabase } from './copy.ts'
import {
  explainError,
  hasHeader,
  isDamage,
  isDirectory,
  isFile,
  isSameFile,
  restrictToOwner,
  syncDirectory,
  syncFile,
} from './files.ts'
import { describeFile, findDamage } from './integrity.ts'
import { lockShared } from './lock.ts'
import { pendingMigrations } from './migrate.ts'

const BUSY_TIMEOUT_MS = 5000

/** Files in the data directory that a backup must not overwrite. */
const ownFiles = [
  /^florin\.sqlite(-wal|-shm|-journal|\.restoring)?$/,
  /^florin\.(lock|serve\.lock|backups?|commits|replica(-owner|-rest|-trial)?)$/,
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
 * Copies the database, which may be in use, and verifies the copy before it gets its final name. The copy of
 * a database that is damaged or has lost writes is kept only with `anyway`, and is not recorded as a backup.
 */
export function backup(database: string, path: string, { force, anyway }: BackupOptions): BackupResult {
  const target = resolve(path)
  if (!isFile(database)) throw new DatabaseError(`No database at ${database}. Check FLORIN_DATA_DIR.`)
  checkTarget(target, database, force)
  const partial = `${target}.partial`
  const remedy = 'Choose a directory that this user can write to and that has enough free space.'
  return explainError(`Cannot write the backup ${target}`, remedy, () => {
    try {
      const { loss, damage: before } = copyTo(partial, database)
      if (loss !== null) acceptLoss(loss, anyway, target, partial)
      const { damage: after, ...content } = describeFile(partial, `The copy of ${database}`)
      const damage = after ?? before
      if (damage !== null && !anyway) throw damagedError(database, damage)
      addChecksum(partial)
      syncFile(partial)
      renameSync(partial, target)
      syncDirectory(dirname(target))
      if (damage === null && loss === null) stamp(database)
      return { file: target, bytes: statSync(target).size, ...content, damage, loss: loss?.reason ?? null }
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

/**
 * Throws if the database has lost writes, unless `anyway` is set and `target` is not a backup with more
 * writes than the copy.
 */
function acceptLoss({ reason, remedy }: MissingCommits, anyway: boolean, target: string, copy: string): void {
  if (!anyway) throw new DatabaseError(`${reason} ${remedy}`)
  const more = commitsIn(target) - commitsIn(copy)
  if (more <= 0) return
  throw new DatabaseError(
    `${target} is an older backup that has more than what is left of the database: ${more} more writes. ` +
      'It was not replaced. Restore it, or choose another file.',
  )
}

/** Returns the number of writes that a copy contains; 0 if it cannot be read. */
function commitsIn(file: string): number {
  if (!isFile(file) || !hasHeader(file)) return 0
  try {
    const database = new Database(file, { readonly: true })
    try {
      return countCommits(database) ?? 0
    } finally {
      database.close()
    }
  } catch {
    return 0
  }
}

const stampFile = (database: string): string => join(dirname(database), 'florin.backup')

/**
 * Records beside the database that a backup has just succeeded. Ignores errors: the backup is valid anyway.
 */
function stamp(database: string): void {
  const file = stampFile(database)
  try {
    writeFileSync(file, '')
    restrictToOwner(file)
    const now = new Date()
    utimesSync(file, now, now)
  } catch {}
}

/** Returns the time of the last successful backup; null if there was none. */
export function lastBackupAt(database: string): number | null {
  const file = stampFile(database)
  return existsSync(file) ? statSync(file).mtimeMs : null
}

/**
 * Copies a database. Returns the writes that it has lost, and its damage. The damage has to be found in the
 * original: the copy gets new indexes, and lacks the rows of a damaged page without a sign of it.
 */
function copyTo(target: string, database: string): { loss: MissingCommits | null; damage: string | null } {
  const noted = readNote(database)
  const release = lockShared(dirname(database))
  try {
    const source = new Database(database, { readwrite: true, create: false, strict: true })
    try {
      source.run(`PRAGMA busy_timeout = ${BUSY_TIMEOUT_MS}`)
      pendingMigrations(source)
      copyDatabase(source, target)
      return { loss: findLoss(source, database, noted), damage: damageOf(source) }
    } finally {
      source.close()
    }
  } finally {
    release()
  }
}

function damageOf(source: Database): string | null {
  try {
    return findDamage(source)
  } catch (error) {
    if (isDamage(error)) return (error as Error).message
    throw error
  }
}

function findLoss(...[source, file, noted]: Parameters<typeof findMissingCommits>): MissingCommits | null {
  try {
    return findMissingCommits(source, file, noted)
  } catch (error) {
    // Damage is reported for the whole copy.
    if (isDamage(error)) return null
    throw error
  }
}
