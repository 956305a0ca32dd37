import { accessSync, constants, existsSync, readFileSync, realpathSync, statfsSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { boundedFetch } from '../boot/fetch.ts'
import { ownExecutable } from '../boot/own-commands.ts'
import { tryStart } from '../boot/trial-start.ts'
import { SettingsError } from '../settings/read.ts'
import type { Settings } from '../settings/table.ts'
import { type DatabaseEngine, databaseOf } from '../storage/index.ts'
import { ask, type Environment } from '../updates/child.ts'
import { findNewer, type Source } from '../updates/find.ts'
import { problemOfPlace } from '../updates/managed.ts'
import { type PublicKey, parsePublicKey } from '../updates/minisign.ts'
import { placeOf } from '../updates/place.ts'
import type { Database } from '../updates/port.ts'
import { releaseKey } from '../updates/release-key.ts'
import { type Unit, unitOf } from '../updates/unit.ts'
import { type Parts, rollBack, update as runUpdate } from '../updates/update.ts'
import { UpdateError } from '../updates/update-error.ts'
import { version } from '../version.ts'
import { type Answer, type Cli, command } from './cli.ts'

interface Options {
  check?: boolean
  rollback?: boolean
  trial?: string
  envFile?: string
}

const READY_MS = 90_000

function sourceOf({ releasesUrl: url }: Settings): Source {
  if (url === '') throw new SettingsError('Set FLORIN_RELEASES_URL to the address of the list of releases.')
  const system = process.platform === 'win32' ? 'windows' : process.platform
  return { fetch: boundedFetch, url, version, target: `${system}-${process.arch}` }
}

function keyOf({ releasesKeyFile: file }: Settings): PublicKey {
  if (file === '' && releaseKey === null) {
    throw new SettingsError(
      'This build has no key to check releases with. Set FLORIN_RELEASES_KEY_FILE to a file with the key.',
    )
  }
  return parsePublicKey(file === '' ? (releaseKey ?? '') : readFileSync(file, 'utf8'))
}

async function check(settings: Settings): Promise<Answer> {
  const newer = await findNewer(sourceOf(settings))
  if (newer === null) {
    return {
      json: { version, newest: version, isSecurity: false },
      text: `Florin ${version} is the newest version.`,
    }
  }
  const { release, isSecurity } = newer
  const advice = isSecurity
    ? 'It repairs a security problem: update soon, with florin update.'
    : 'Run florin update.'
  const text = `Florin ${release.version} is available; this is ${version}. ${advice}`
  return { json: { version, newest: release.version, isSecurity }, text, exitCode: 3 }
}

async function trial(settings: Settings, backup: string): Promise<Answer> {
  const migrations = await tryStart(settings, backup)
  return { json: { migrations }, text: `Florin ${version} is ready with a copy of ${backup}.` }
}

/** The place of the executable, even if its previous version is running. */
function ownPlace() {
  if (ownExecutable() === null) throw new UpdateError('This Florin runs from its source, which git updates.')
  return placeOf(realpathSync(process.execPath).replace(/[.]previous$/, ''))
}

function isReadable(file: string): boolean {
  try {
    accessSync(file, constants.R_OK)
    return true
  } catch {
    return false
  }
}

/** Takes the settings of the server that systemd runs, unless another file of settings was named. */
function useSettingsOf(
  cli: Cli,
  unit: Unit | null,
  envFile: string | undefined,
  mayUse: (file: string) => boolean,
): void {
  if (unit === null || envFile || cli.environment.FLORIN_ENV_FILE) return
  const { values, files } = unit.settings
  cli.readUnit({ values, files: files.filter(mayUse) })
}

const BACKUP_MS = 3600_000

const updatable = (engine: DatabaseEngine, dataDir: string, environment: Environment): Database => ({
  isFile: engine.isFile,
  exists: async () => !engine.isFile || existsSync(engine.location),
  isInUse: () => engine.isInUse(),
  bytes: async () => (await engine.sizes()).database,
  async backUp() {
    const file = join(dataDir, 'florin.before-update.sqlite')
    // Another process makes the backup: what this one opened would keep it from restoring a copy.
    await ask(process.execPath, ['backup', file, '--force'], environment, BACKUP_MS)
    return file
  },
  undoMigration: now => engine.undoMigration(now),
})

const ownUrl = ({ host, port }: Settings): string | null => {
  if (port === 0) return null
  const name = host === '0.0.0.0' || host === '::' ? '127.0.0.1' : host
  return `http://${name.includes(':') ? `[${name}]` : name}:${port}`
}

function partsOf(cli: Cli, unit: Unit | null, place: Parts['place']): Omit<Parts, 'source'> {
  const settings = cli.settings()
  const dataDir = resolve(unit?.settings.folder ?? '.', settings.dataDir)
  const environment = { ...cli.environment, FLORIN_DATA_DIR: dataDir, FLORIN_ENV_FILE: undefined }
  return {
    place,
    database: updatable(databaseOf({ ...settings, dataDir }), dataDir, environment),
    dataDir,
    environment,
    unit,
    readiness: { fetch: boundedFetch, url: ownUrl(settings), everyMs: 500, settleMs: 3000 },
    readyMs: READY_MS,
    freeBytes(folder) {
      const { bavail, bsize } = statfsSync(folder)
      return bavail * bsize
    },
    now: Date.now,
    say: line => cli.terminal.complain(line),
  }
}

async function install(cli: Cli, parts: Omit<Parts, 'source'>): Promise<Answer> {
  const settings = cli.settings()
  const updated = await runUpdate({ ...parts, source: sourceOf(settings) }, keyOf(settings))
  const { from, to, isReady } = updated
  if (to === null) return { json: updated, text: `Florin ${from} is the newest version.` }
  const next = isReady
    ? 'The server runs it and is ready.'
    : 'Restart the server, which migrates the database when it starts. If it does not become ready, run ' +
      'florin update --rollback.'
  return { json: updated, text: `Updated Florin from ${from} to ${to}. ${next}` }
}

async function back(parts: Omit<Parts, 'source'>): Promise<Answer> {
  const result = await rollBack(parts)
  const { from, to, database, isReady } = result
  const next = isReady ? 'The server runs it and is ready.' : 'Start the server.'
  return { json: result, text: `Went back from Florin ${from} to ${to}. ${database} ${next}` }
}

export const update = (cli: Cli) =>
  command('update', 'install the newest version, with a way back if it does not become ready')
    .option('--check', 'only say if there is a newer version; exits with 3 if there is one')
    .option('--rollback', 'put the version of before the last update back')
    .option(
      '--trial <backup>',
      'only try if this version can use a copy of a backup; updates run it with the new version',
    )
    .addHelpText(
      'after',
      '\nDownloads the newest release of FLORIN_RELEASES_URL, checks its signature, backs up the database ' +
        'and tries\nthe release on a copy of it. A server of systemd (florin.service) is restarted. If it ' +
        'is not ready in time,\nthe former version is put back. Settings are those of the unit, or of ' +
        '--env-file.',
    )
    .action(
      cli.answering(async ({ check: isCheck, rollback, trial: backup, envFile }: Options) => {
        if ([isCheck, rollback, backup].filter(Boolean).length > 1) {
          throw new SettingsError('Choose one of --check, --rollback and --trial.')
        }
        if (backup !== undefined) return trial(cli.settings(), backup)
        if (isCheck) {
          // Without root, the settings files may be unreadable. The check then uses the other settings.
          const unit = ownExecutable() === null ? null : await unitOf(ownPlace().executable, cli.environment)
          useSettingsOf(cli, unit, envFile, isReadable)
          return check(cli.settings())
        }
        const place = ownPlace()
        const problem = await problemOfPlace(place.executable, cli.environment)
        if (problem !== null) throw new UpdateError(`${place.executable} cannot be updated. ${problem}`)
        const unit = await unitOf(place.executable, cli.environment)
        useSettingsOf(cli, unit, envFile, () => true)
        const parts = partsOf(cli, unit, place)
        return rollback ? back(parts) : install(cli, parts)
      }),
    )
