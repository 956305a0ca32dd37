import { Database } from 'bun:sqlite'
import { copyFileSync, existsSync, linkSync, mkdirSync, renameSync, statSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { DatabaseError, type RestoreOptions, type RestoreResult } from '../engine.ts'
import { removeChecksum } from './checksum.ts'
import { removeNote } from './commit-note.ts'
import { removeDatabase } from './copy.ts'
import {
  errorCode,
  explainError,
  fileTimestamp,
  hasHeader,
  isBusy,
  isDamage,
  isDirectory,
  isFile,
  isSameFile,
  restrictToOwner,
  sideFileSuffixes,
  syncDirectory,
  syncFile,
} from './files.ts'
import { verifyFile } from './integrity.ts'
import { lockExclusive, lockFile } from './lock.ts'
import { skipIndices } from './skip-indices.ts'

const BUSY_TIMEOUT_MS = 1000

function checkSource(source: string, database: string): void {
  if (!existsSync(source)) throw new DatabaseError(`${source} does not exist.`)
  if (!isFile(source)) {
    throw new DatabaseError(`${source} is not a file. Specify a file made by florin backup.`)
  }
  if (isSameFile(source, database)) throw new DatabaseError(`${source} is the database itself.`)
  for (const suffix of ['-wal', '-journal']) {
    if (!existsSync(`${source}${suffix}`) || statSync(`${source}${suffix}`).size === 0) continue
    throw new DatabaseError(
      `${source} was copied while it was in use: some of its data is in ${source}${suffix}. ` +
        'Restore a file made by florin backup.',
    )
  }
}

function checkTarget(database: string, force: boolean): void {
  if (!existsSync(database)) return
  if (isDirectory(database)) throw new DatabaseError(`${database} is a directory. Move it away first.`)
  if (force) return
  throw new DatabaseError(`${database} already exists. Use --force to replace it (a dated copy is kept).`)
}

const movedError = (database: string): DatabaseError =>
  new DatabaseError(
    `${database} already exists, so it may have given out addresses that the backup lacks. --moved is for ` +
      'a machine without a database. Leave it out, or move that database away.',
  )

const changedError = (source: string): DatabaseError =>
  new DatabaseError(
    `${source} has changed since florin backup wrote it: its checksum is wrong. Restore another backup. ` +
      `If you changed it yourself, remove the checksum: sqlite3 ${source} 'PRAGMA user_version = 0'`,
  )

function lock(dataDir: string): () => void {
  const unlock = lockExclusive(dataDir)
  if (unlock) return unlock
  throw new DatabaseError(`A server or another command is using the database in ${dataDir}. Stop it first.`)
}

/**
 * Replaces the database with a verified copy of a backup. If this is interrupted, either the old or the new
 * database is in place, undamaged.
 */
export function restore(
  from: string,
  to: string,
  { force, isMoved = false }: RestoreOptions,
  now: number,
): RestoreResult {
  const [source, database] = [resolve(from), resolve(to)]
  const dataDir = dirname(database)
  const partial = `${database}.restoring`
  checkSource(source, database)
  checkTarget(database, force)
  if (isMoved && existsSync(database)) throw movedError(database)
  const remedy = `${source} must be readable, and ${dataDir} must be writable and have enough free space.`
  return explainError(`Cannot restore ${source}`, remedy, () => {
    mkdirSync(dataDir, { recursive: true, mode: 0o700 })
    // Fails before the long copy if the database is in use.
    if (existsSync(lockFile(dataDir))) lock(dataDir)()
    try {
      removeDatabase(partial)
      copyFileSync(source, partial)
      restrictToOwner(partial)
      const isUnchanged = removeChecksum(partial)
      const content = verifyFile(partial, source, () => {
        if (!isUnchanged) throw changedError(source)
      })
      const skippedSources = isMoved ? 0 : skipIndices(partial, database, now)
      syncFile(partial)
      const replaced = replaceDatabase(partial, database, () => checkTarget(database, force), now)
      return { file: source, database, bytes: statSync(database).size, ...content, replaced, skippedSources }
    } catch (error) {
      removeDatabase(partial)
      throw error
    }
  })
}

/**
 * Replaces the database by the file `partial`. `check` runs while no other process uses the database, and may
 * throw to prevent that. Returns the new name of the old database; null if there was none.
 */
export function replaceDatabase(
  partial: string,
  database: string,
  check: () => void,
  now: number,
): string | null {
  const dataDir = dirname(database)
  const unlock = lock(dataDir)
  try {
    check()
    const old = `${database}.replaced-${fileTimestamp(now)}`
    const exists = existsSync(database)
    if (exists) preserve(database, old)
    // SQLite would apply the side files of the old database to the new one.
    for (const suffix of sideFileSuffixes) {
      if (existsSync(`${database}${suffix}`)) renameSync(`${database}${suffix}`, `${old}${suffix}`)
    }
    removeNote(database)
    renameSync(partial, database)
    syncDirectory(dataDir)
    return exists ? old : null
  } finally {
    unlock()
  }
}

/** Gives the database a second name, or copies it. Its WAL is written into it before. */
function preserve(database: string, name: string): void {
  leaveWalMode(database)
  try {
    linkSync(database, name)
  } catch (error) {
    if (!/^(EPERM|ENOTSUP|EOPNOTSUPP|ENOSYS|EMLINK)$/.test(errorCode(error))) throw error
    copyFileSync(database, name)
    syncFile(name)
  }
}

/**
 * Writes the WAL into the database file, which needs exclusive access. Does not change a damaged database.
 * Files without the header are not opened, because SQLite would delete their side files.
 */
export function leaveWalMode(file: string): void {
  if (!hasHeader(file)) return
  let database: Database | null = null
  try {
    database = new Database(file, { readwrite: true, create: false })
    database.run(`PRAGMA busy_timeout = ${BUSY_TIMEOUT_MS}`)
    database.run('PRAGMA journal_mode = DELETE')
  } catch (error) {
    if (isBusy(error)) throw new DatabaseError(`Another program is using ${file}. Stop it first.`)
    if (!isDamage(error)) throw error
  } finally {
    database?.close()
  }
}
