import { closeSync, openSync } from 'node:fs'

const LIBRARY = 'libc.so.6'
const LOCK_EX = 2
const LOCK_NB = 4

/**
 * Locks a file or folder for this process alone, by flock(2): the lock ends with the process and leaves
 * nothing behind. Returns a function that releases it; null if another process holds it. For Linux.
 */
export function lockPath(path: string): (() => void) | null {
  const { dlopen }: typeof import('bun:ffi') = require('bun:ffi')
  const { symbols } = dlopen(LIBRARY, { flock: { args: ['i32', 'i32'], returns: 'i32' } })
  const file = openSync(path, 'r')
  if (symbols.flock(file, LOCK_EX | LOCK_NB) === 0) return () => closeSync(file)
  closeSync(file)
  return null
}
