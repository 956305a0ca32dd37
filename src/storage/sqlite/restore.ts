import { Database } from 'bun:sqlite'
import {
  closeSync,
  copyFileSync,
  existsSync,
  linkSync,
  mkdirSync,
  openSync,
  readSync,
  renameSync,
  statSync,
} from 'node:fs'
import { dirname, resolve } from 'node:path'
import { discard } from './copy.ts'
import { explainError } from './explain-error.ts'
import {
  besides,
  codeOf,
  giveToOwner,
  isBusy,
  isDamage,
  isFile,
  isFolder,
  isSameFile,
  stampOf,
  syncFile,
  syncFolder,
} from './files.ts'
import { type Content, examine } from './integrity.ts'
import { lockDatabase } from './lock.ts'
import { DatabaseError } from './migrate.ts'

const BUSY_TIMEOUT_MS = 1000

export interface Restored extends Content {
  file: string
  database: string
  bytes: number
  /** what the database that was there is called now */
  replaced: string | null
}

function refuseSource(source: string, database: string): void {
  if (!existsSync(source)) throw new DatabaseError(`There is no file ${source}.`)
  if (!isFile(source)) throw new DatabaseError(`${source} is no file. Name the file that florin backup made.`)
  if (isSameFile(source, database)) throw new DatabaseError(`${source} is the database itself.`)
  for (const end of ['-wal', '-journal']) {
    if (!existsSync(`${source}${end}`) || statSync(`${source}${end}`).size === 0) continue
    throw new DatabaseError(
      `${source} was copied while it was in use: ${source}${end} belongs to it. ` +
        'Restore a file that florin backup made.',
    )
  }
}

function refuseTarget(database: string, isForced: boolean): void {
  if (!existsSync(database)) return
  if (isFolder(database)) throw new DatabaseError(`${database} is a folder. Move it away first.`)
  if (isForced) return
  throw new DatabaseError(`${database} is there already. With --force it is replaced, and kept beside.`)
}

function lock(dataDir: string): () => void {
  const unlock = lockDatabase(dataDir)
  if (unlock) return unlock
  throw new DatabaseError(`A server or a command uses the database in ${dataDir}. Stop it first.`)
}

/**
 * Puts a checked copy of a backup in the place of the database, which nobody may have open. Whenever it is
 * interrupted, the old database or the new one is there, and whole.
 */
export function restore(named: string, database: string, isForced: boolean, now: number): Restored {
  const source = resolve(named)
  const dataDir = dirname(database)
  const part = `${database}.restoring`
  refuseSource(source, database)
  refuseTarget(database, isForced)
  const remedy = `${source} must be readable, and ${dataDir} writable with enough free space.`
  return explainError(`${source} could not be restored`, remedy, () => {
    mkdirSync(dataDir, { recursive: true, mode: 0o700 })
    // Asked once before the long work, so that a refusal comes at once.
    lock(dataDir)()
    try {
      discard(part)
      copyFileSync(source, part)
      giveToOwner(part)
      const content = examine(part, source)
      syncFile(part)
      const replaced = put(part, database, isForced, now)
      return { file: source, database, bytes: statSync(database).size, ...content, replaced }
    } catch (error) {
      discard(part)
      throw error
    }
  })
}

function put(part: string, database: string, isForced: boolean, now: number): string | null {
  const dataDir = dirname(database)
  const unlock = lock(dataDir)
  try {
    refuseTarget(database, isForced)
    const kept = `${database}.replaced-${stampOf(now)}`
    const isThere = existsSync(database)
    if (isThere) keep(database, kept)
    // What is left of a database that is damaged or gone would be taken for the new one's.
    for (const end of besides) {
      if (existsSync(`${database}${end}`)) renameSync(`${database}${end}`, `${kept}${end}`)
    }
    syncFolder(dataDir)
    renameSync(part, database)
    syncFolder(dataDir)
    return isThere ? kept : null
  } finally {
    unlock()
  }
}

/** Gives the database a second name, after what stood beside it has been written into it. */
function keep(database: string, kept: string): void {
  fold(database)
  try {
    linkSync(database, kept)
  } catch (error) {
    if (!/^(EPERM|ENOTSUP|EOPNOTSUPP|ENOSYS|EMLINK)$/.test(codeOf(error))) throw error
    copyFileSync(database, kept)
    syncFile(kept)
  }
}

const HEAD = 'SQLite format 3\0'

/** SQLite takes what stands beside a file without its head for rubbish, and removes it. */
function hasHead(file: string): boolean {
  const handle = openSync(file, 'r')
  try {
    const head = Buffer.alloc(HEAD.length)
    readSync(handle, head, 0, head.length, 0)
    return head.toString('latin1') === HEAD
  } finally {
    closeSync(handle)
  }
}

/** Leaving WAL mode needs the database alone, and ends with one file. A damaged one stays as it is. */
function fold(file: string): void {
  if (!hasHead(file)) return
  let database: Database | null = null
  try {
    database = new Database(file, { readwrite: true, create: false })
    database.run(`PRAGMA busy_timeout = ${BUSY_TIMEOUT_MS}`)
    database.run('PRAGMA journal_mode = DELETE')
  } catch (error) {
    if (isBusy(error)) throw new DatabaseError(`Another program uses ${file}. Stop it first.`)
    if (!isDamage(error)) throw error
  } finally {
    database?.close()
  }
}
