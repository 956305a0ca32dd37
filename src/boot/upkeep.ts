import { Refusal } from '../domain/errors.ts'
import type { BackupState, Finding, OwnJobState } from '../domain/upkeep.ts'
import type { Upkeep } from '../operations/context.ts'
import type { Settings } from '../settings/table.ts'
import type { DatabaseEngine } from '../storage/index.ts'
import type { Storage } from '../storage/port.ts'
import { startBackups } from './backups.ts'
import { Registry } from './metrics/registry.ts'
import { sample } from './metrics/sample.ts'
import { type OwnJob, runOwn } from './own-commands.ts'
import type { Platform } from './platform.ts'
import type { Replica } from './replica-services.ts'
import { readTrial, startReplicaTrials } from './replica-trials.ts'
import { secretsFileOf } from './secrets-file.ts'

/** Time limit of the checks. They end within fifteen seconds, and requests are answered within 28. */
const CHECK_MS = 24_000

interface Parts {
  settings: Settings
  database: DatabaseEngine
  replica: Replica | null
  storage: Storage
  platform: Platform
  clock: () => number
}

export interface LiveUpkeep {
  upkeep: Upkeep
  /** Starts the regular backups and trial restores. */
  start(): void
  stop(): Promise<void>
}

const idle: OwnJobState = { since: null, failed: null }

const unchecked = (detail: string): Refusal =>
  new Refusal('conflict', `The installation could not be checked. ${detail}`, {
    reason: { kind: 'check_failed', detail },
  })

/** Runs the checks in another process, where they hold up no request. */
async function runChecks({ environment, runOwn: run = runOwn }: Platform): Promise<Finding[]> {
  if (!environment) throw unchecked('This is a demo.')
  const late = AbortSignal.timeout(CHECK_MS)
  const { output, errors } = await run(['doctor', '--json'], environment, late)
  try {
    return JSON.parse(output).findings
  } catch {
    const reason = late.aborted ? 'It did not finish in time.' : errors.trim()
    throw unchecked(reason || 'It said nothing.')
  }
}

/** Backups, trial restores and checks of a server. */
export function liveUpkeep(parts: Parts): LiveUpkeep {
  const { settings, database, replica, platform } = parts
  const { backupDir: folder, dataDir } = settings
  let backups: OwnJob | null = null
  let trials: OwnJob | null = null
  let checking: Promise<Finding[]> | null = null
  const state = async (): Promise<BackupState> => ({
    isFile: database.isFile,
    lastAt: await database.lastBackupAt().catch(() => null),
    automatic:
      folder === '' || !database.isFile
        ? null
        : {
            folder,
            record: database.readBackups(folder, platform.now()),
            files: database.listBackups(folder),
            job: backups?.state() ?? idle,
          },
    replica: replica && { lagMs: replica.lagMs(), trial: readTrial(dataDir), job: trials?.state() ?? idle },
    secretsFile: secretsFileOf(settings),
  })
  return {
    upkeep: {
      backups: state,
      startBackup: isTrial => backups?.start(...(isTrial ? ['--trial'] : [])),
      startReplicaTrial: () => trials?.start(),
      readBackup: async function* (file) {
        yield* Bun.file(file).stream()
      },
      recordBackup: async () => void (await database.recordBackup()),
      async figures() {
        const registry = new Registry()
        const certificate = platform.certificate ?? null
        await sample(registry, { ...parts, certificate }, database, settings)
        const { metrics: at } = settings
        return {
          gauges: registry.gauges(),
          metrics: at && { address: `${at.host}:${at.port}`, text: (await platform.metrics?.()) ?? '' },
        }
      },
      check() {
        // Two people who ask at once get the result of the same checks.
        checking ??= runChecks(platform).finally(() => {
          checking = null
        })
        return checking
      },
    },
    start() {
      const work = { ...parts, now: platform.now, log: platform.log, run: platform.runOwn }
      backups = startBackups(work)
      trials = startReplicaTrials(work)
    },
    stop: async () => void (await Promise.all([backups?.stop(), trials?.stop()])),
  }
}
