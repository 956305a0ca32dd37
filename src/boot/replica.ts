import { existsSync, mkdirSync, readFileSync, rmSync, statfsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { readManifest } from '../replica/manifest.ts'
import { Replicator } from '../replica/replicator.ts'
import { restoreTo } from '../replica/restore.ts'
import { adoptOwner, ownerOf, readState } from '../replica/state.ts'
import { type EncryptedStore, newKeyText, openStore, parseKey } from '../replica/store.ts'
import { SettingsError } from '../settings/read.ts'
import { replicaUrl } from '../settings/replica-url.ts'
import type { Settings } from '../settings/table.ts'
import { type DatabaseEngine, DatabaseError, type RestoreResult } from '../storage/index.ts'
import type { Platform } from './platform.ts'
import { type Replica, replicaProblem } from './replica-services.ts'

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
  }
}

/** Checks the replica for florin doctor: the state that the server recorded, and if the store can be read. */
export async function diagnoseReplica(
  settings: Settings,
  { fetch, now }: Platform,
  isUsed: boolean,
): Promise<{ problem: string | null; message: string }> {
  const replica = openReplica(settings, settings.replicaUrl, fetch)
  const { store } = replica
  const state = readState(settings.dataDir, store.name)
  const manifest = await readManifest(replica)
  const message = `${store.name}, restorable until ${
    state?.restorableAt ? new Date(state.restorableAt).toISOString() : 'nothing yet'
  }`
  if (!isUsed) return { problem: null, message }
  if (!state || !manifest) return { problem: 'The server has stored nothing yet.', message }
  const lagMs = state.restorableAt === null ? null : now() - state.restorableAt
  return { problem: replicaProblem(state.problem, lagMs), message }
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

/** Restores the database as of a time, with the same checks as from a backup. */
export async function restoreReplica(
  settings: Settings,
  { fetch, now }: Platform,
  database: DatabaseEngine,
  { from, at, force }: { from: string; at: number; force: boolean },
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
    const { at: reached, skipped } = await restoreTo({ store, key }, file, at)
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
