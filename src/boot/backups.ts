import { setPriority } from 'node:os'
import { join, resolve } from 'node:path'
import { backupFacts, isBackupDue } from '../domain/backup.ts'
import type { Log } from '../domain/log.ts'
import type { Service } from '../domain/outage.ts'
import type { Settings } from '../settings/table.ts'
import type { DatabaseEngine } from '../storage/index.ts'
import type { Storage } from '../storage/port.ts'

const LOOK_MS = 60_000
const LOW_PRIORITY = 10

/** The command line that runs this program as another process: the executable, or Bun with the source. */
const ownCommand = (): string[] => {
  const main = join(import.meta.dir, '../main.ts')
  const isExecutable = /^(\/\$bunfs|[A-Z]:[\\/]~BUN)[\\/]/i.test(import.meta.dir)
  return isExecutable ? [process.execPath] : [process.execPath, main]
}

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
}

/**
 * Makes a backup each night, in a process of its own, because copying a large database would make buyers
 * wait. Returns a function that stops it.
 */
export function startBackups({
  settings,
  database,
  storage,
  now,
  log,
  lookMs = LOOK_MS,
}: Parts): () => Promise<void> {
  const { backupDir, dataDir } = settings
  if (backupDir === '') return async () => {}
  let child: Bun.Subprocess<'ignore', 'ignore', 'pipe'> | null = null
  async function make(): Promise<void> {
    const startedAt = performance.now()
    child = Bun.spawn([...ownCommand(), 'backup'], {
      env: { FLORIN_DATA_DIR: resolve(dataDir), FLORIN_BACKUP_DIR: resolve(backupDir) },
      stdin: 'ignore',
      stdout: 'ignore',
      stderr: 'pipe',
    })
    // Not every system lets a process lower another one's priority.
    try {
      setPriority(child.pid, LOW_PRIORITY)
    } catch {}
    const [reason, exitCode] = await Promise.all([new Response(child.stderr).text(), child.exited])
    const ms = Math.round(performance.now() - startedAt)
    if (exitCode === 0) log.info({ ms }, 'backup.made')
    else log.error({ ms, exitCode, reason: reason.trim() }, 'backup.failed')
  }
  let running: Promise<void> | null = null
  async function look(): Promise<void> {
    try {
      if (isBackupDue(database.readBackups(backupDir), await zoneOf(storage), now())) await make()
    } catch (error) {
      log.error({ reason: String(error) }, 'backup.failed')
    } finally {
      running = null
    }
  }
  const timer = setInterval(() => {
    running ??= look()
  }, lookMs)
  timer.unref()
  return async () => {
    clearInterval(timer)
    child?.kill()
    await running
  }
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
        return since === null ? null : backupFacts(database.readBackups(backupDir), since, now())
      },
    },
    {
      id: 'backup-trial',
      kind: 'backup_unusable',
      afterMs: 0,
      recovered: { about: 'backup_usable' },
      async check() {
        const { trialProblem: reason, trialFault: fault } = database.readBackups(backupDir)
        return reason === null ? null : { about: 'backup_unusable', reason, fault }
      },
    },
  ]
}
