import { existsSync, mkdirSync, readFileSync, rmSync, statfsSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { ReplicaTrial } from '../domain/upkeep.ts'
import { readManifest } from '../replica/manifest.ts'
import { Replicator } from '../replica/replicator.ts'
import { DamagedReplica, restoreTo } from '../replica/restore.ts'
import { adoptOwner, ownerOf, readState } from '../replica/state.ts'
import { type EncryptedStore, newKeyText, openStore, parseKey } from '../replica/store.ts'
import { SettingsError } from '../settings/read.ts'
import { replicaUrl } from '../settings/replica-url.ts'
import type { Settings } from '../settings/table.ts'
import { type DatabaseEngine, DatabaseError, databaseOf, type RestoreResult } from '../storage/index.ts'
import type { Platform } from './platform.ts'
import { type Replica, replicaProblem } from './replica-services.ts'
import { readTrial, writeTrial } from './replica-trials.ts'

function readSecret(setting: string, file: string, remedy: string): string {
  try {
    return readFileSync(file, 'utf8').trim()
  } catch (error) {
    throw new SettingsError(`Cannot read ${setting} (${(error as Error).message}). ${remedy}`)
  }
}

/** End of error messages of commands. Servers retry instead. */
const COMMAND_AGAIN = 'Then run the command again.'

/** Opens a store with the keys of the settings. */
function openReplica(
  settings: Settings,
  target: Settings['replicaUrl'],
  fetch: Platform['fetch'],
  again?: string,
): EncryptedStore {
  const { replicaAccessKey, replicaSecretFile, replicaKeyFile } = settings
  if (target === null || !replicaAccessKey || !replicaSecretFile || !replicaKeyFile) {
    throw new SettingsError(
      'Set FLORIN_REPLICA_URL, FLORIN_REPLICA_ACCESS_KEY, FLORIN_REPLICA_SECRET_FILE and ' +
        'FLORIN_REPLICA_KEY_FILE.',
    )
  }
  const secretAccessKey = readSecret(
    'FLORIN_REPLICA_SECRET_FILE',
    replicaSecretFile,
    'It holds the secret access key of the store.',
  )
  const key = parseKey(
    readSecret('FLORIN_REPLICA_KEY_FILE', replicaKeyFile, 'Make one with florin replica key FILE.'),
  )
  if (!key) {
    throw new SettingsError(
      `FLORIN_REPLICA_KEY_FILE names ${replicaKeyFile}, which is not a key file: 64 hexadecimal digits. ` +
        'Make one with florin replica key FILE.',
    )
  }
  const credentials = { accessKeyId: replicaAccessKey, secretAccessKey }
  return { store: openStore(target, credentials, fetch, again === undefined ? {} : { again }), key }
}

/** Free disk space that has to be left by a trial. */
const LEFT_BYTES = 256 * 1024 ** 2

const freeBytesOf = (folder: string): number => {
  const { bavail, bsize } = statfsSync(folder)
  return bavail * bsize
}

export function replicaOf(settings: Settings, { fetch, now, log }: Platform): Replica {
  const { dataDir, replicaKeep } = settings
  const opened = openReplica(settings, settings.replicaUrl, fetch)
  const freeBytes = () => freeBytesOf(dataDir)
  const startedAt = now()
  let replicator: Replicator | null = null
  return {
    replicate(source) {
      replicator = new Replicator(source, { ...opened, dataDir, keepMs: replicaKeep, now, log, freeBytes })
      return replicator
    },
    lagMs: () => replicator?.lagMs() ?? null,
    runningMs: () => now() - startedAt,
    problem: () => replicator?.problem() ?? null,
    beginAgain: reason => replicator?.beginAgain(reason),
  }
}

const timeOf = (at: number): string => new Date(at).toISOString()

const TRIAL_REMEDY =
  'If an object is damaged, a running server begins a new copy by itself. Keep other backups until ' +
  'florin replica trial succeeds.'

const trialText = (trial: ReplicaTrial | null): string =>
  trial?.restored == null ? 'not yet restored on trial' : `restored on trial at ${timeOf(trial.at)}`

/** Checks the replica for florin doctor: the state that the server recorded, and if the store can be read. */
export async function diagnoseReplica(
  settings: Settings,
  { fetch, now }: Platform,
  isUsed: boolean,
): Promise<{ problem: string | null; message: string; remedy?: string }> {
  const replica = openReplica(settings, settings.replicaUrl, fetch)
  const { store } = replica
  const state = readState(settings.dataDir, store.name)
  const manifest = await readManifest(replica)
  const trial = readTrial(settings.dataDir)
  const until = state?.restorableAt ? new Date(state.restorableAt).toISOString() : 'nothing yet'
  const message = `${store.name}, uploaded until ${until}, ${trialText(trial)}`
  if (trial?.problem) {
    const problem = `A trial restore at ${timeOf(trial.at)} failed. ${trial.problem}`
    return { problem, message, remedy: TRIAL_REMEDY }
  }
  if (!isUsed) return { problem: null, message }
  if (!state || !manifest) return { problem: 'The server has stored nothing yet.', message }
  const lagMs = state.restorableAt === null ? null : now() - state.restorableAt
  return { problem: replicaProblem(state.problem, lagMs), message }
}

/** The reason why a restored copy cannot be used, as a sentence; null if the copy is whole. */
async function faultOf(folder: string): Promise<string | null> {
  const state = await databaseOf({ dataDir: folder, databaseUrl: null }).readState()
  if (state.kind === 'whole') return null
  return state.kind === 'absent' ? 'It holds no database.' : state.reason
}

/** Throws if a copy of the database would fill the disk. */
function checkSpace(dataDir: string): void {
  const { location } = databaseOf({ dataDir, databaseUrl: null })
  const needed = (statSync(location, { throwIfNoEntry: false })?.size ?? 0) + LEFT_BYTES
  if (freeBytesOf(dataDir) >= needed) return
  const megabytes = Math.ceil(needed / 1024 ** 2)
  throw new DatabaseError(`A trial restore needs ${megabytes} MB of free space in ${dataDir}.`)
}

/** Restores the replica of this installation into a temporary folder, and records the result. */
export async function tryReplica(settings: Settings, { fetch, now }: Platform): Promise<ReplicaTrial> {
  const { dataDir } = settings
  const source = openReplica(settings, settings.replicaUrl, fetch, COMMAND_AGAIN)
  const folder = join(dataDir, 'florin-trial')
  const uploaded = readState(dataDir, source.store.name)?.shipped ?? null
  const trial: ReplicaTrial = { at: now(), restored: null, problem: null, isDamaged: false }
  rmSync(folder, { recursive: true, force: true })
  try {
    checkSpace(dataDir)
    mkdirSync(folder, { mode: 0o700 })
    const made = await restoreTo(source, join(folder, 'florin.sqlite'), Number.POSITIVE_INFINITY)
    const isCut =
      uploaded !== null && made.generation === uploaded.generation && made.sequence < uploaded.sequence
    const cut = `${source.store.name} ends before what was uploaded: the newest objects are missing.`
    trial.problem = made.skipped ?? (isCut ? cut : await faultOf(folder))
    trial.isDamaged = trial.problem !== null
    trial.restored = trial.isDamaged ? null : made.at
  } catch (error) {
    trial.problem = error instanceof Error ? error.message : String(error)
    trial.isDamaged = error instanceof DamagedReplica
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
  writeTrial(dataDir, trial)
  return trial
}

/** Makes this installation the writer of the store. */
export async function adoptReplica(settings: Settings, { fetch }: Platform): Promise<string> {
  const replica = openReplica(settings, settings.replicaUrl, fetch, COMMAND_AGAIN)
  const manifest = await readManifest(replica)
  if (manifest && existsSync(settings.dataDir)) adoptOwner(settings.dataDir, manifest.owner)
  else ownerOf(settings.dataDir)
  return replica.store.name
}

export { newKeyText }

/**
 * An older copy has to be accepted first. A server writes every 30 seconds, so the server of such a copy has
 * been gone for long, or the store has an old state.
 */
const OLD_MS = 3600_000

interface ReplicaRestore {
  from: string
  /** Infinity for the newest moment */
  at: number
  force: boolean
  /** Called before an old copy replaces the database. Throws if it is not wanted. */
  accept(restored: number, writtenAt: number): Promise<void>
}

/** Restores the database as of a time, with the same checks as from a backup. */
export async function restoreReplica(
  settings: Settings,
  { fetch, now }: Platform,
  database: DatabaseEngine,
  { from, at, force, accept }: ReplicaRestore,
): Promise<RestoreResult & { at: number; skipped: string | null }> {
  const { store, key } = openReplica(settings, replicaTarget(from), fetch, COMMAND_AGAIN)
  const folder = dirname(database.location)
  const file = join(folder, 'florin.sqlite.fetched')
  if (existsSync(database.location) && !force) {
    throw new DatabaseError(
      `${database.location} already exists. Use --force to replace it (a dated copy is kept).`,
    )
  }
  if (await database.isInUse()) {
    throw new DatabaseError('A server or another command is using the database. Stop it first.')
  }
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  try {
    const { at: reached, writtenAt, skipped } = await restoreTo({ store, key }, file, at)
    if (at === Number.POSITIVE_INFINITY && now() - writtenAt >= OLD_MS) await accept(reached, writtenAt)
    return { ...(await database.restore(file, { force }, now())), file: store.name, at: reached, skipped }
  } finally {
    rmSync(file, { force: true })
  }
}

function replicaTarget(text: string): Settings['replicaUrl'] {
  try {
    return replicaUrl(text)
  } catch (error) {
    throw new SettingsError(`--from ${(error as Error).message}`)
  }
}
