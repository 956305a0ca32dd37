import type { Database, Statement } from 'bun:sqlite'
import {
  closeSync,
  constants,
  fstatSync,
  ftruncateSync,
  openSync,
  readFileSync,
  rmSync,
  statSync,
  writeSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { drizzle } from 'drizzle-orm/bun-sqlite'
import { formatTimestamp } from '../../domain/timestamp.ts'
import { DatabaseError } from '../engine.ts'
import { commits } from '../schema/index.ts'
import { restrictToOwner, syncDirectory } from './files.ts'

const LENGTH = 17

/** Returns the file beside the database that contains its number of commits. */
const noteFile = (database: string): string => join(dirname(database), 'florin.commits')

function openNote(file: string): number {
  const handle = openSync(file, constants.O_RDWR | constants.O_CREAT, 0o600)
  try {
    restrictToOwner(file)
    if (fstatSync(handle).size !== 2 * LENGTH) ftruncateSync(handle)
    return handle
  } catch (error) {
    closeSync(handle)
    throw error
  }
}

/**
 * Returns the note: the count, written twice. After a power failure, a note may be partly old and partly new,
 * and its two numbers differ. A single number could be too large: 0999 and 1000 could give 1999.
 */
function textOf(count: number): string {
  const line = `${String(count).padStart(LENGTH - 1, '0')}\n`
  return line + line
}

/**
 * Counts commits, in the database and in a note beside it. SQLite accepts a database whose WAL was deleted or
 * truncated; the note shows that commits are missing. The note is written after each commit, without
 * flushing: that takes no time, and the note is never ahead of the disk. With an old or missing note, fewer
 * losses are detected.
 */
export class CommitNote {
  readonly #totalChanges: Statement<{ changes: number }, []>
  readonly #increment: Statement<unknown, []>
  readonly #read: Statement<{ count: number; changes: number }, []>
  readonly #file: string
  #changesBefore = 0
  /** total changes as of the last commit; null while a transaction is open, and after a rollback */
  #changesAfter: number | null = null
  #isChanged = false
  #count: number | null = null
  #handle: number | null = null

  constructor(database: Database, file: string) {
    this.#file = noteFile(file)
    this.#totalChanges = database.prepare('SELECT total_changes() AS changes')
    // RETURNING would be slower than both statements, because SQLite makes a table for its result.
    this.#increment = database.prepare('UPDATE commits SET count = count + 1')
    this.#read = database.prepare('SELECT count, total_changes() AS changes FROM commits')
  }

  /** Must be called when a transaction begins. */
  begin(): void {
    this.#changesBefore = this.#changesAfter ?? this.#changes()
    this.#changesAfter = null
    this.#isChanged = false
    this.#count = null
  }

  /** Must be called after each write. `isKept` is false if the write was rolled back. */
  end(isKept: boolean): void {
    if (this.#isChanged) return
    const changes = this.#changes()
    this.#isChanged = isKept && changes > this.#changesBefore
    this.#changesBefore = changes
  }

  /**
   * Counts the coming commit in the database. A commit without changes is not counted, because it would have
   * to wait for the disk then.
   */
  count(): void {
    if (!this.#isChanged) return
    this.#increment.run()
    const row = this.#read.get()
    this.#count = row?.count ?? null
    this.#changesBefore = row?.changes ?? this.#changesBefore
  }

  /** Writes the note. Must be called once the counted commit is on disk. */
  write(): void {
    this.#changesAfter = this.#changesBefore
    if (this.#count === null) return
    try {
      this.#handle ??= openNote(this.#file)
      writeSync(this.#handle, textOf(this.#count), 0)
    } catch {
      // The disk is full or read-only. With an older note, fewer losses are detected, but none is invented.
    }
  }

  close(): void {
    if (this.#handle !== null) closeSync(this.#handle)
    this.#handle = null
  }

  #changes(): number {
    return this.#totalChanges.get()?.changes ?? 0
  }
}

interface CommitCount {
  count: number
  at: number
}

/** Reads the note beside a database; null if it is missing or cannot be read. */
export function readNote(file: string): CommitCount | null {
  try {
    const text = readFileSync(noteFile(file), 'latin1')
    const [, count] = /^(\d{16}\n)\1$/.exec(text) ?? []
    if (count === undefined) return null
    return { count: Number(count), at: statSync(noteFile(file)).mtimeMs }
  } catch {
    return null
  }
}

/**
 * Removes the note of a database. Must be called before another database replaces it. Flushes the removal, so
 * that no power failure leaves the old note beside the new database.
 */
export function removeNote(file: string): void {
  rmSync(noteFile(file), { force: true })
  syncDirectory(dirname(file))
}

/** Returns the number of commits that a database has counted; null if it has counted none. */
export function countCommits(database: Database): number | null {
  // Drizzle would keep the statement, and with it the file, open after the database is closed.
  const { sql } = drizzle(database, { casing: 'snake_case' }).select().from(commits).toSQL()
  return database.query<{ count: number }, []>(sql).get()?.count ?? null
}

export interface MissingCommits {
  reason: string
  /** action that the operator can take */
  remedy: string
}

/**
 * Returns the reason why a database lacks commits; null if it lacks none. The note must be read before the
 * database is opened, because another process may be committing.
 */
export function findMissingCommits(
  database: Database,
  file: string,
  noted: CommitCount | null,
): MissingCommits | null {
  if (noted === null) return null
  const exists = database.query("SELECT 1 FROM sqlite_master WHERE name = 'commits'").get() !== null
  const count = exists ? countCommits(database) : null
  const missing = count === null ? 0 : noted.count - count
  if (missing <= 0) return null
  const last = formatTimestamp(noted.at)
  return {
    reason:
      `${file} is older than its last write. Missing writes: ${missing}, the last at ${last}. ` +
      `Maybe ${file}-wal was deleted or cut, or an old copy or another database was put in its place.`,
    remedy:
      'If you have the missing file, put it back. ' +
      'Otherwise restore the newest backup: florin restore FILE --force. ' +
      'To keep what is left instead, run florin backup FILE --anyway, then florin restore FILE --force ' +
      'with it.',
  }
}

export function assertNoMissingCommits(database: Database, file: string, noted: CommitCount | null): void {
  const missing = findMissingCommits(database, file, noted)
  if (missing) throw new DatabaseError(`${missing.reason} ${missing.remedy}`)
}
