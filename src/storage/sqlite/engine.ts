import { existsSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import { type DatabaseEngine, DatabaseError, type MigrateResult } from '../engine.ts'
import { backup, lastBackupAt } from './backup.ts'
import { backUpInto, filesIn, readBackups } from './backup-folder.ts'
import { listCopies } from './copies.ts'
import { readState } from './integrity.ts'
import { lockExclusive } from './lock.ts'
import { lossOf } from './loss.ts'
import { databaseFile, explainOpening, openStorage } from './open.ts'
import { migrateAlone } from './opening.ts'
import { restore } from './restore.ts'
import { undoMigration } from './undo-migration.ts'

/** Returns the engine of a database file in the data directory. */
export function sqliteEngine(dataDir: string): DatabaseEngine {
  const file = databaseFile(dataDir)
  return {
    location: file,
    isFile: true,
    open: async (now, use, hooks) => openStorage(file, now, hooks, use),
    migrate: async now => explainOpening(file, () => migrateExisting(file, now)),
    copies: () => listCopies(file),
    lastBackupAt: async () => lastBackupAt(file),
    async recordBackup() {
      throw new DatabaseError(
        'Only backups of PostgreSQL are recorded. Make one of this database with florin backup FILE.',
      )
    },
    sizes: async () => ({ database: sizeOf(file), log: sizeOf(`${file}-wal`) }),
    readState: async () => readState(file),
    isInUse: async () => isInUse(file),
    backup: async (target, options) => backup(file, target, options),
    backUpInto: async (folder, at, trial) => backUpInto(file, folder, at, { trial }),
    readBackups: (folder, now) => readBackups(file, folder, now),
    listBackups: filesIn,
    restore: async (source, options, now) => restore(source, file, options, now),
    undoMigration: async now => undoMigration(file, now),
  }
}

const sizeOf = (file: string): number => statSync(file, { throwIfNoEntry: false })?.size ?? 0

function migrateExisting(file: string, now: number): MigrateResult {
  if (!existsSync(file))
    throw new DatabaseError(lossOf(file) ?? `No database at ${file}. Check FLORIN_DATA_DIR.`)
  return migrateAlone(file, now)
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
