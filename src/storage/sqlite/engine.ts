import { existsSync } from 'node:fs'
import { dirname } from 'node:path'
import type { DatabaseEngine } from '../engine.ts'
import { backup } from './backup.ts'
import { readState } from './integrity.ts'
import { lockExclusive } from './lock.ts'
import { databaseFile, openStorage } from './open.ts'
import { restore } from './restore.ts'

/** A database in a file of the data directory. */
export function sqliteEngine(dataDir: string): DatabaseEngine {
  const file = databaseFile(dataDir)
  return {
    location: file,
    open: (now, hooks) => openStorage(file, now, hooks),
    readState: () => readState(file),
    isInUse: () => isInUse(file),
    backup: (target, force) => backup(file, target, force),
    restore: (source, force, now) => restore(source, file, force, now),
  }
}

function isInUse(file: string): boolean {
  if (!existsSync(file)) return false
  try {
    const unlock = lockExclusive(dirname(file))
    unlock?.()
    return unlock === null
  } catch {
    return false
  }
}
