import { chmodSync, chownSync, closeSync, existsSync, fsyncSync, openSync, statSync } from 'node:fs'
import { dirname } from 'node:path'

/** What SQLite keeps beside a database while it is in use, or after it was killed. */
export const besides = ['-wal', '-shm', '-journal'] as const

/** For a file's name: the instant without what some file systems do not take. */
export const stampOf = (now: number): string => new Date(now).toISOString().replaceAll(':', '')

/** Makes a file its folder's owner's alone, also where root has made it. */
export function giveToOwner(file: string): void {
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

/** Not for a database that this process has open: closing any handle of a file gives up its POSIX locks. */
export const syncFile = (file: string): void => sync(file, 'r+')

/** Brings what was renamed, made or removed in a folder to the disk. Windows does so by itself. */
export function syncFolder(folder: string): void {
  if (process.platform !== 'win32') sync(folder, 'r')
}

export const isFile = (path: string): boolean => existsSync(path) && statSync(path).isFile()
export const isFolder = (path: string): boolean => existsSync(path) && statSync(path).isDirectory()

/** Whether two paths lead to one file. */
export function isSameFile(one: string, other: string): boolean {
  if (!existsSync(one) || !existsSync(other)) return false
  const [a, b] = [statSync(one), statSync(other)]
  return a.ino === b.ino && a.dev === b.dev
}

export const isBusy = (error: unknown): boolean => /^SQLITE_(BUSY|LOCKED)/.test(codeOf(error))
export const isDamage = (error: unknown): boolean => /^SQLITE_(NOTADB|CORRUPT)/.test(codeOf(error))

export const codeOf = (error: unknown): string => String((error as { code?: unknown } | null)?.code ?? '')
