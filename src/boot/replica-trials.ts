import { readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import type { Log } from '../domain/log.ts'
import type { Service } from '../domain/outage.ts'
import type { ReplicaTrial } from '../domain/upkeep.ts'
import type { Settings } from '../settings/table.ts'
import { type OwnJob, type RunOwn, runWhenDue } from './own-commands.ts'
import type { Replica } from './replica-services.ts'

const DAY_MS = 24 * 3600_000
const EVERY_MS = 7 * DAY_MS
/** Time until a failed test restore is repeated: the first snapshot of a large database takes a while. */
const AGAIN_MS = DAY_MS

const fileIn = (dataDir: string): string => join(dataDir, 'florin.replica-trial')

/** Reads the result of the last test restore; null if there was none. */
export function readTrial(dataDir: string): ReplicaTrial | null {
  try {
    return JSON.parse(readFileSync(fileIn(dataDir), 'utf8'))
  } catch {
    return null
  }
}

export function writeTrial(dataDir: string, trial: ReplicaTrial): void {
  const file = fileIn(dataDir)
  writeFileSync(`${file}.new`, JSON.stringify(trial), { mode: 0o600 })
  renameSync(`${file}.new`, file)
}

function isTrialDue(trial: ReplicaTrial | null, now: number): boolean {
  if (trial === null) return true
  return now - trial.at >= (trial.problem === null ? EVERY_MS : AGAIN_MS)
}

/** The environment variables of a test restore: the settings that it needs. */
function environmentOf({ dataDir, replicaUrl, ...settings }: Settings): Record<string, string> {
  if (replicaUrl === null) return {}
  const { bucket, prefix, endpoint, region } = replicaUrl
  const query = new URLSearchParams({ endpoint, region })
  return {
    FLORIN_DATA_DIR: resolve(dataDir),
    FLORIN_REPLICA_URL: `s3://${bucket}/${prefix}?${query}`,
    FLORIN_REPLICA_ACCESS_KEY: settings.replicaAccessKey,
    FLORIN_REPLICA_SECRET_FILE: resolve(settings.replicaSecretFile),
    FLORIN_REPLICA_KEY_FILE: resolve(settings.replicaKeyFile),
  }
}

interface Parts {
  settings: Settings
  replica: Replica | null
  now: () => number
  log: Log
  lookMs?: number
  /** runs the test restore; by default in another process */
  run?: RunOwn | undefined
}

/**
 * Restores the replica each week as a test, once it has something to restore. If an object turns out to be
 * missing or changed, another generation begins, which does not need it. Null without a replica.
 */
export function startReplicaTrials({ settings, replica, ...parts }: Parts): OwnJob | null {
  if (replica === null) return null
  const { dataDir } = settings
  return runWhenDue({
    args: ['replica', 'trial'],
    environment: environmentOf(settings),
    done: 'replica.tried',
    failed: 'replica.unusable',
    isDue: async () => replica.lagMs() !== null && isTrialDue(readTrial(dataDir), parts.now()),
    ended() {
      if (readTrial(dataDir)?.isDamaged) replica.beginAgain('a trial restore found a damaged object')
    },
    ...parts,
  })
}

export const trialService = (dataDir: string): Service => ({
  id: 'replica-trial',
  kind: 'backup_unusable',
  afterMs: 0,
  recovered: { about: 'backup_usable' },
  async check() {
    const reason = readTrial(dataDir)?.problem ?? null
    return reason === null ? null : { about: 'backup_unusable', reason, fault: null }
  },
})
