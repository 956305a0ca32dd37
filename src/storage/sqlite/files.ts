import { chmodSync, chownSync, closeSync, existsSync, fsyncSync, openSync, readSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import { DatabaseError } from '../engine.ts'

/** Suffixes of the files beside a database that is in use, or whose process was killed. */
export const sideFileSuffixes = ['-wal', '-shm', '-journal'] as const

/** Returns a timestamp for file names. It has no colons, which some file systems do not allow. */
export const fileTimestamp = (now: number): string => new Date(now).toISOString().replaceAll(':', '')

/** Makes a file readable only by its owner: the owner of its directory, even if root created the file. */
export function restrictToOwner(file: string): void {
  chmodSync(file, 0o600)
  if (process.getuid?.() !== 0) return
  const { uid, gid } = statSync(dirname(file))
  chownSync(file, uid, gid)
}

function sync(path: string, flags: string): void {
  const handle = openSync(path, flags)
  try {
    fsyncSync(handle)
  } finally {
    closeSync(handle)
  }
}

/**
 * Flushes a file to disk. Never call this for a database that this process has open: closing any handle of a
 * file releases its POSIX locks.
 */
export const syncFile = (file: string): void => sync(file, 'r+')

/** Flushes renames and removals in a directory. Does nothing on Windows, which flushes them itself. */
export function syncDirectory(directory: string): void {
  if (process.platform !== 'win32') sync(directory, 'r')
}

export const isFile = (path: string): boolean => existsSync(path) && statSync(path).isFile()
export const isDirectory = (path: string): boolean => existsSync(path) && statSync(path).isDirectory()

/** Returns true if two paths lead to the same file. */
export function isSameFile(one: string, other: string): boolean {
  if (!existsSync(one) || !existsSync(other)) return false
  const [a, b] = [statSync(one), statSync(other)]
  return a.ino === b.ino && a.dev === b.dev
}

export const isBusy = (error: unknown): boolean => /^SQLITE_(BUSY|LOCKED)/.test(errorCode(error))
export const isDamage = (error: unknown): boolean => /^SQLITE_(NOTADB|CORRUPT)/.test(errorCode(error))

export const errorCode = (error: unknown): string => String((error as { code?: unknown } | null)?.code ?? '')

const SQLITE_HEADER = 'SQLite format 3\0'

/** Returns true if a file has the header of a SQLite database. */
export function hasHeader(file: string): boolean {
  const handle = openSync(file, 'r')
  try {
    const header = Buffer.alloc(SQLITE_HEADER.length)
    readSync(handle, header, 0, header.length, 0)
    return header.toString('latin1') === SQLITE_HEADER
  } finally {
    closeSync(handle)
  }
}

/** Runs work, and turns errors of the file system or SQLite into a DatabaseError with a remedy. */
export function explainError<T>(what: string, remedy: string, work: () => T): T {
  try {
    return work()
  } catch (error) {
    if (error instanceof DatabaseError || errorCode(error) === '') throw error
    throw new DatabaseError(`${what} (${(error as Error).message}). ${remedy}`, { cause: error })
  }
}
