import { existsSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { lockPath } from '../../boot/file-lock.ts'
import { SettingsError } from '../../settings/read.ts'
import { checkHost, warningsOf } from './checks.ts'
import { environmentText } from './environment.ts'
import {
  copyExecutable,
  hashOf,
  isSame,
  makeFolder,
  type Owner,
  removeUnfinished,
  textOf,
  writeText,
} from './files.ts'
import type { Host } from './host.ts'
import { ENV_FILE, type Plan, UNIT_DIR } from './plan.ts'
import { type SetupRecord, writeRecord } from './record.ts'
import { accountOf, type State } from './state.ts'
import { unitNames, unitsOf } from './units.ts'

/** The result of an installation. */
interface Installation {
  /** the changes that were made, as sentences; empty if everything was as it should be */
  changes: string[]
  warnings: string[]
  /** true if a running server has to be restarted to notice the changes */
  needsRestart: boolean
  state: State
}

/** Keeps two setups from working at the same time. */
export async function alone<T>({ root, isLive }: Host, work: () => Promise<T>): Promise<T> {
  const path = isLive ? join(root, '/etc') : root
  const release = lockPath(path)
  if (release === null)
    throw new SettingsError('Another florin setup is running. Try again when it has ended.')
  try {
    return await work()
  } finally {
    release()
  }
}

/**
 * The record of an installation before it begins: everything that setup is about to make. While the text of a
 * unit is replaced, both texts count as setup's own, in case setup is interrupted.
 */
function recordOf(plan: Plan, state: State, madeUser: boolean): SetupRecord {
  const { record, executable, source } = state
  const units = Object.entries(unitsOf(plan, executable)).map(([name, text]) => {
    const former = record?.units[name] ?? []
    return [name, [...new Set([...former, hashOf(text)])]]
  })
  return {
    user: plan.user,
    madeUser: madeUser || (record?.madeUser ?? false),
    dataDir: plan.dataDir,
    backupDir: plan.backupDir,
    executable: source !== null ? executable : (record?.executable ?? null),
    units: { ...record?.units, ...Object.fromEntries(units) },
  }
}

async function makeUser(host: Host, { user, dataDir }: Plan): Promise<Owner> {
  const made = await host.run(
    ...['useradd', '--system', '--user-group', '--no-create-home'],
    ...['--home-dir', dataDir, '--shell', '/usr/sbin/nologin', '--comment', 'Florin payments server', user],
  )
  const account = await accountOf(host, { user })
  if (made.exitCode === 0 && account !== null) return account
  throw new SettingsError(
    `The user ${user} could not be made: ${made.stderr.trim()} Run this again afterwards.`,
  )
}

interface Access {
  mode: number
  owner: Owner | null
  isChanged: boolean
}

/** Access to the settings file. It is left as it is if the server can read the file and strangers cannot. */
function accessOf(file: string, owner: Owner | null): Access {
  const found = statSync(file, { throwIfNoEntry: false })
  if (!found) return { mode: 0o600, owner, isChanged: false }
  const { mode, uid, gid } = found
  const mayRead = owner === null || uid === owner.uid || (gid === owner.gid && (mode & 0o040) !== 0)
  return mayRead && (mode & 0o007) === 0
    ? { mode: mode & 0o777, owner: owner && { uid, gid }, isChanged: false }
    : { mode: 0o600, owner, isChanged: true }
}

/** The place and the owner of the parts of an installation. */
interface Target {
  host: Host
  plan: Plan
  state: State
  owner: Owner | null
}

const at = ({ host }: Target, path: string): string => join(host.root, path)

function putExecutable(target: Target): string[] {
  const { executable, source } = target.state
  const file = at(target, executable)
  const isNew = !existsSync(file)
  if (source === null || (!isNew && isSame(file, source))) return []
  copyExecutable(source, file)
  return [isNew ? `Installed ${file}` : `Replaced ${file} by this version`]
}

const makeFolders = (target: Target): string[] =>
  [target.plan.dataDir, target.plan.backupDir]
    .filter(folder => folder !== '' && makeFolder(at(target, folder), target.owner))
    .map(folder => `Prepared the directory ${at(target, folder)}`)

function writeSettings(target: Target): string[] {
  const { environment, envText } = target.state
  const file = at(target, ENV_FILE)
  const settings = environmentText(envText, environment, target.plan)
  const { mode, owner, isChanged } = accessOf(file, target.owner)
  if (settings === envText && !isChanged) return []
  writeText(file, settings, mode, owner)
  return [`${envText === null ? 'Wrote' : 'Changed'} the settings in ${file}`]
}

function writeUnits(target: Target): string[] {
  const { host, plan, state } = target
  if (host.isLive && !state.hasSystemd) return []
  return Object.entries(unitsOf(plan, state.executable)).flatMap(([name, text]) => {
    const file = at(target, join(UNIT_DIR, name))
    const former = textOf(file)
    if (former === text) return []
    writeText(file, text, 0o644)
    return [`${former === null ? 'Wrote' : 'Replaced'} ${file}`]
  })
}

/** Writes the parts that differ, and returns sentences about them. Each part follows those that it needs. */
const writeAll = (target: Target): string[] =>
  [putExecutable, makeFolders, writeSettings, writeUnits].flatMap(write => write(target))

/** The record after the setup, without the hashes of texts that have been replaced. */
const settled = (record: SetupRecord, plan: Plan, { executable }: State): SetupRecord => ({
  ...record,
  units: {
    ...record.units,
    ...Object.fromEntries(
      Object.entries(unitsOf(plan, executable)).map(([name, text]) => [name, [hashOf(text)]]),
    ),
  },
})

/**
 * Writes everything that an installation needs and that is not there. If something is in the way, throws
 * before it writes.
 */
export async function install(host: Host, plan: Plan, state: State): Promise<Installation> {
  const paths = [state.executable, ENV_FILE, ...unitNames.map(name => join(UNIT_DIR, name))]
  for (const path of paths) removeUnfinished(join(host.root, path))
  const account = await accountOf(host, plan)
  await checkHost({ host, plan, state, account })
  const warnings = await warningsOf({ host, plan })
  const record = recordOf(plan, state, host.isLive && account === null)
  writeRecord(host, record)
  const isNewUser = host.isLive && account === null
  const owner = isNewUser ? await makeUser(host, plan) : account
  const written = writeAll({ host, plan, state, owner })
  writeRecord(host, settled(record, plan, state))
  const changes = [...(isNewUser ? [`Made the user ${plan.user}`] : []), ...written]
  return { changes, warnings, needsRestart: written.length > 0, state }
}
