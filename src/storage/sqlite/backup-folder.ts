import { Database } from 'bun:sqlite'
import { createHash } from 'node:crypto'
import {
  closeSync,
  existsSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  readSync,
  renameSync,
  rmSync,
  statfsSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { type BackupRecord, expiredBackups, isTrialDue } from '../../domain/backup.ts'
import type { BackupFault } from '../../domain/notification-facts.ts'
import type { BackupFile } from '../../domain/upkeep.ts'
import { DatabaseError, type ScheduledBackup } from '../engine.ts'
import { backup } from './backup.ts'
import { removeDatabase } from './copy.ts'
import { errorCode, explainError, fileTimestamp, isDirectory, restrictToOwner } from './files.ts'
import { restore } from './restore.ts'

const MB = 1024 * 1024
/** Min free disk space after a backup. */
const LEFT_BYTES = 256 * MB
const ABANDONED_MS = 24 * 3600_000
const CHUNK_BYTES = MB
const INTERRUPTED = 'it was interrupted. The log of the server may say why.'

const pattern = /^florin-(\d{4}-\d\d-\d\dT\d\d)(\d\d)(\d\d[.]\d{3}Z)[.]sqlite$/

/** Thrown if a backup or restore failed for a common reason, which `fault` names. */
class BackupError extends DatabaseError {
  constructor(
    readonly fault: BackupFault,
    message: string,
  ) {
    super(message)
  }
}

/** The content that a restored copy must have. */
interface BackupContent {
  sha256: string
  rows: Record<string, number>
}

interface Note extends BackupRecord {
  copies: Record<string, BackupContent>
}

const noteFile = (database: string): string => join(dirname(database), 'florin.backups')

const nothing: Note = {
  madeAt: null,
  triedAt: null,
  problem: null,
  fault: null,
  trialAt: null,
  trialProblem: null,
  trialFault: null,
  copies: {},
}

function readNote(database: string): Note {
  try {
    return { ...nothing, ...JSON.parse(readFileSync(noteFile(database), 'utf8')) }
  } catch {
    return nothing
  }
}

function writeNote(database: string, note: Note): void {
  const file = noteFile(database)
  writeFileSync(`${file}.new`, JSON.stringify(note))
  restrictToOwner(`${file}.new`)
  renameSync(`${file}.new`, file)
}

/** Returns the backups in a folder by their file names, newest first. */
function listBackups(folder: string): { name: string; at: number }[] {
  if (!isDirectory(folder)) return []
  return readdirSync(folder)
    .flatMap(name => {
      const [, hour, minute, second] = pattern.exec(name) ?? []
      return hour === undefined ? [] : [{ name, at: Date.parse(`${hour}:${minute}:${second}`) }]
    })
    .sort((a, b) => b.at - a.at)
}

/** Returns the backups in a folder with their sizes, newest first. */
export const filesIn = (folder: string): BackupFile[] =>
  listBackups(folder).map(({ name, at }) => ({
    file: join(folder, name),
    at,
    bytes: sizeOf(join(folder, name)),
  }))

/**
 * Returns the backups in a folder that were made until `now`, newest first. A backup with a later time was
 * made while the clock was ahead, or the clock is behind now: it is neither the newest one nor deleted.
 */
const backupsUntil = (folder: string, now: number) => listBackups(folder).filter(({ at }) => at <= now)

/** Returns the state of the backups in a folder; `madeAt` is null if there are none. */
export function readBackups(database: string, folder: string, now: number): BackupRecord {
  const { copies: _, ...note } = readNote(database)
  return { ...note, madeAt: backupsUntil(folder, now)[0]?.at ?? null }
}

function hashOf(file: string): string {
  const hash = createHash('sha256')
  const chunk = Buffer.alloc(CHUNK_BYTES)
  const handle = openSync(file, 'r')
  try {
    for (let read = -1; read !== 0; ) {
      read = readSync(handle, chunk)
      hash.update(chunk.subarray(0, read))
    }
  } finally {
    closeSync(handle)
  }
  return hash.digest('hex')
}

function countRows(file: string): Record<string, number> {
  const database = new Database(file, { readonly: true })
  try {
    const tables = database
      .query<{ name: string }, []>("SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY name")
      .all()
    return Object.fromEntries(
      tables.map(({ name }) => [
        name,
        Number(database.query(`SELECT COUNT(*) FROM "${name}"`).values()[0]?.[0]),
      ]),
    )
  } finally {
    database.close()
  }
}

const sizeOf = (file: string): number => statSync(file, { throwIfNoEntry: false })?.size ?? 0

const freeBytesOf = (folder: string): number => {
  const { bavail, bsize } = statfsSync(folder)
  return bavail * bsize
}

function checkSpace(folder: string, needed: number, freeBytes: number): void {
  if (freeBytes - needed >= LEFT_BYTES) return
  const mb = (bytes: number): string => `${Math.ceil(bytes / MB)} MB`
  throw new BackupError(
    'diskFull',
    `The disk of ${folder} has ${mb(freeBytes)} free, and ${mb(needed + LEFT_BYTES)} are needed. ` +
      'Free some space, or set FLORIN_BACKUP_DIR to a larger disk.',
  )
}

/** Removes files that killed processes left behind. */
function removeAbandoned(folder: string, now: number): void {
  for (const name of readdirSync(folder)) {
    const file = join(folder, name)
    if (!/^florin-[0-9T.Z-]+[.]sqlite[.]partial$/.test(name)) continue
    if (now - statSync(file).mtimeMs > ABANDONED_MS) removeDatabase(file)
  }
}

function makeBackup(database: string, folder: string, now: number, freeBytes: typeof freeBytesOf): Note {
  const before = readNote(database)
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  removeAbandoned(folder, now)
  checkSpace(folder, sizeOf(database) + sizeOf(`${database}-wal`), freeBytes(folder))
  const name = `florin-${fileTimestamp(now)}.sqlite`
  const file = join(folder, name)
  backup(database, file, { force: false, anyway: false })
  const copies = { ...before.copies, [name]: { sha256: hashOf(file), rows: countRows(file) } }
  const found = backupsUntil(folder, now)
  const expired = new Set(expiredBackups(found.map(({ at }) => at)))
  for (const { name: old, at } of found) if (expired.has(at)) rmSync(join(folder, old), { force: true })
  const kept = Object.entries(copies).filter(([copy]) => existsSync(join(folder, copy)))
  return {
    ...before,
    madeAt: now,
    triedAt: now,
    problem: null,
    fault: null,
    copies: Object.fromEntries(kept),
  }
}

/** Restores a backup into a temporary folder beside it. Throws if the content is not the expected one. */
function tryRestore(folder: string, name: string, expected: BackupContent | undefined, now: number): void {
  const trial = join(folder, 'florin-trial')
  const file = join(folder, name)
  rmSync(trial, { recursive: true, force: true })
  try {
    if (expected && hashOf(file) !== expected.sha256) {
      const remedy = 'Check the disk, and make a new backup.'
      throw new BackupError('changed', `${file} has changed since it was made. ${remedy}`)
    }
    const restored = join(trial, 'florin.sqlite')
    restore(file, restored, { force: false }, now)
    const rows = countRows(restored)
    const wrong = Object.entries(expected?.rows ?? {}).find(([table, count]) => rows[table] !== count)
    if (!wrong) return
    const [table, count] = wrong
    throw new BackupError(
      'incomplete',
      `${file} had ${count} rows in ${table}, and has ${rows[table] ?? 'none'} restored.`,
    )
  } finally {
    rmSync(trial, { recursive: true, force: true })
  }
}

/** Returns the common fault that an error or its cause shows; null if it shows none. */
function faultOf(error: unknown): BackupFault | null {
  if (error instanceof BackupError) return error.fault
  if (/^(ENOSPC|EDQUOT|SQLITE_FULL)/.test(errorCode(error))) return 'diskFull'
  if (/^(EACCES|EPERM|EROFS|ENOENT|ENOTDIR|EEXIST|SQLITE_(READONLY|CANTOPEN))/.test(errorCode(error)))
    return 'notWritable'
  return error instanceof Error && error.cause ? faultOf(error.cause) : null
}

const sentence = (error: unknown): string => (error instanceof Error ? error.message : String(error))

function tryNewest(note: Note, folder: string, now: number, freeBytes: typeof freeBytesOf): Note {
  const [newest] = listBackups(folder)
  if (!newest) return note
  try {
    checkSpace(folder, sizeOf(join(folder, newest.name)), freeBytes(folder))
    tryRestore(folder, newest.name, note.copies[newest.name], now)
    return { ...note, trialAt: now, trialProblem: null, trialFault: null }
  } catch (error) {
    return { ...note, trialAt: now, trialProblem: sentence(error), trialFault: faultOf(error) }
  }
}

/**
 * Makes a backup in a folder and deletes old ones. Does a trial restore of the newest one if the last was a
 * week ago or `trial` is set.
 */
export function backUpInto(
  database: string,
  folder: string,
  now: number,
  { trial = false, freeBytes = freeBytesOf }: { trial?: boolean; freeBytes?: typeof freeBytesOf } = {},
): ScheduledBackup {
  const remedy = 'Create the folder, and let the user that runs Florin write to it.'
  const before = readNote(database)
  // Replaced at the end; remains if the process is killed during the backup.
  if (existsSync(database))
    writeNote(database, { ...before, triedAt: now, problem: INTERRUPTED, fault: 'interrupted' })
  let note: Note
  try {
    note = explainError(`Cannot write to ${folder}`, remedy, () =>
      makeBackup(database, folder, now, freeBytes),
    )
  } catch (error) {
    const failed = { triedAt: now, problem: sentence(error), fault: faultOf(error) }
    if (existsSync(database)) writeNote(database, { ...before, ...failed })
    throw error
  }
  const isTried = trial || isTrialDue(before, now)
  if (isTried) note = tryNewest(note, folder, now, freeBytes)
  writeNote(database, note)
  const [newest] = backupsUntil(folder, now)
  return {
    file: join(folder, newest?.name ?? ''),
    kept: listBackups(folder).length,
    isTried,
    trialProblem: isTried ? note.trialProblem : null,
  }
}
