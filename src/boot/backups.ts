import { resolve } from 'node:path'
import { backupFacts, isBackupDue } from '../domain/backup.ts'
import type { Log } from '../domain/log.ts'
import type { Service } from '../domain/outage.ts'
import type { Settings } from '../settings/table.ts'
import type { DatabaseEngine } from '../storage/index.ts'
import type { Storage } from '../storage/port.ts'
import { type OwnJob, type RunOwn, runWhenDue } from './own-commands.ts'

/** The time zone of the first shop. */
async function zoneOf(storage: Storage): Promise<string> {
  const [first] = await storage.read(tables => tables.merchants.list())
  return first?.timeZone ?? 'UTC'
}

interface Parts {
  settings: Settings
  database: DatabaseEngine
  storage: Storage
  now: () => number
  log: Log
  /** how often to check if a backup is due */
  lookMs?: number
  /** runs the command; by default in another process */
  run?: RunOwn | undefined
}

/** Makes a backup each night. Null without a folder for backups. */
export function startBackups({ settings, database, storage, ...parts }: Parts): OwnJob | null {
  const { backupDir, dataDir } = settings
  if (backupDir === '') return null
  return runWhenDue({
    args: ['backup'],
    environment: { FLORIN_DATA_DIR: resolve(dataDir), FLORIN_BACKUP_DIR: resolve(backupDir) },
    done: 'backup.made',
    failed: 'backup.failed',
    isDue: async () => {
      const now = parts.now()
      return isBackupDue(database.readBackups(backupDir, now), await zoneOf(storage), now)
    },
    ...parts,
  })
}

/** Checks that report problems of the automatic backups. */
export function backupServices(
  { backupDir }: Settings,
  database: DatabaseEngine,
  startedAt: () => Promise<number | null>,
  now: () => number,
): Service[] {
  return [
    {
      id: 'backup',
      kind: 'backup_old',
      afterMs: 0,
      recovered: { about: 'backup_made' },
      async check() {
        const since = await startedAt()
        const at = now()
        return since === null ? null : backupFacts(database.readBackups(backupDir, at), since, at)
      },
    },
    {
      id: 'backup-trial',
      kind: 'backup_unusable',
      afterMs: 0,
      recovered: { about: 'backup_usable' },
      async check() {
        const { trialProblem: reason, trialFault: fault } = database.readBackups(backupDir, now())
        return reason === null ? null : { about: 'backup_unusable', reason, fault }
      },
    },
  ]
}
