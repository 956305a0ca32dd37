import { existsSync, lstatSync, readdirSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { readSettings, SettingsError } from '../../settings/read.ts'
import { databaseOf } from '../../storage/index.ts'
import { isUpdating } from '../../updates/lock.ts'
import { placeOf } from '../../updates/place.ts'
import { compareVersions, isVersion } from '../../updates/version.ts'
import { version } from '../../version.ts'
import { isSame, type Owner, textOf } from './files.ts'
import type { Host } from './host.ts'
import { ENV_FILE, type Plan, UNIT_DIR } from './plan.ts'
import { isOwnUnit } from './record.ts'
import type { State } from './state.ts'
import { documentedUnit, unitsOf } from './units.ts'

const MIB = 2 ** 20
/** Free space for the database and a backup of it. */
const DATA_BYTES = 256 * MIB
const SPARE_BYTES = 16 * MIB

interface Checked {
  host: Host
  plan: Plan
  state: State
  account: Owner | null
}

/** The file or folder itself, or the nearest folder above it. */
const nearest = (path: string): string => (existsSync(path) ? path : nearest(dirname(path)))

function unitProblems({ host: { root }, plan, state }: Checked): string[] {
  return Object.entries(unitsOf(plan, state.executable)).flatMap(([name, wanted]) => {
    const file = join(root, UNIT_DIR, name)
    let text: string | null
    try {
      text = textOf(file)
    } catch {
      return [`${file} is a link, as that of a masked unit. Remove it (systemctl unmask ${name}).`]
    }
    if (text === null || text === wanted || text === documentedUnit) return []
    if (isOwnUnit(state.record, name, text)) return []
    return [
      `${file} was written or changed by hand. Keep your lines with "systemctl edit ${name}", which writes ` +
        'them to a file of their own. Then remove this one.',
    ]
  })
}

function executableProblems({ host, state: { record, executable, source } }: Checked): string[] {
  if (host.isLive && host.executable === null)
    return [
      'This Florin runs from its source. Build the executable (npm run build), and use dist/florin setup.',
    ]
  const file = join(host.root, executable)
  if (isUpdating(placeOf(file))) return ['florin update is running. Run this again when it has ended.']
  if (source === null || !existsSync(file) || record?.executable === executable) return []
  if (lstatSync(file).isFile() && isSame(file, source)) return []
  return [`${file} is another program, which setup did not write. Move it away, or run setup from it.`]
}

/** The version of an installed executable; null if there is none, or if it does not report its version. */
async function versionOf(host: Host, file: string): Promise<string | null> {
  if (!existsSync(file)) return null
  try {
    const { stdout } = await host.run(file, 'version', '--json')
    const { version: installed } = JSON.parse(stdout) as { version?: unknown }
    return typeof installed === 'string' && isVersion(installed) ? installed : null
  } catch {
    return null
  }
}

/**
 * Refuses to replace a newer version, or to run one that cannot use the database. A database on PostgreSQL is
 * left to the server to check, because root may be unable to connect.
 */
async function downgradeProblems({ host, plan, state }: Checked): Promise<string[]> {
  const { source, environment, record } = state
  const file = join(host.root, state.executable)
  if (source === null || (existsSync(file) && isSame(file, source))) return []
  const installed = record === null ? null : await versionOf(host, file)
  if (installed !== null && compareVersions(installed, version) > 0)
    return [
      `${file} is Florin ${installed}, and this is ${version}. To set up the installed one, run it: ` +
        `sudo ${file} setup. To go back to the version before it, run: sudo ${file} update --rollback`,
    ]
  if (environment.FLORIN_DATABASE_URL) return []
  const settings = readSettings({ ...environment, FLORIN_DATA_DIR: join(host.root, plan.dataDir) })
  const database = await databaseOf(settings).readState()
  if (database.kind !== 'refused') return []
  return [`This Florin, ${version}, cannot use the database in ${settings.dataDir}. ${database.reason}`]
}

/** Refuses a folder with data, unless it belongs to the server's user, or setup --remove left it to root. */
function folderProblems({ host: { root, isLive }, account }: Checked, path: string, proof: RegExp): string[] {
  const folder = join(root, path)
  const found = lstatSync(folder, { throwIfNoEntry: false })
  if (!found) return []
  if (!found.isDirectory()) return [`${folder} is not a directory.`]
  // A folder that is a disk of its own has lost+found, which belongs to root.
  const names = readdirSync(folder).filter(name => name !== 'lost+found')
  if (names.length === 0 || !isLive || found.uid === account?.uid) return []
  if (found.uid === 0 && names.some(name => proof.test(name))) return []
  return [`${folder} has files of another user. Choose another directory, or empty this one.`]
}

async function accountProblems({ host, plan: { user }, account }: Checked): Promise<string[]> {
  if (!host.isLive) return []
  if (account !== null)
    return account.uid === 0 ? [`The user ${user} is root by another name. Choose another one.`] : []
  const { exitCode } = await host.run('useradd', '--help')
  return exitCode === 0 ? [] : ['The program useradd, which makes the user, was not found. Install it.']
}

/** Reports ports of the server that another program holds. */
function portProblems({ host, plan, state: { hasSystemd, isRunning, environment } }: Checked): string[] {
  if (!hasSystemd || isRunning) return []
  const settings = readSettings({ ...environment, FLORIN_DOMAIN: plan.domain })
  const ports = [
    ...(plan.domain === '' ? [] : [settings.httpPort, settings.httpsPort]),
    ...(settings.port === 0 ? [] : [settings.port]),
  ]
  return ports.flatMap(port => {
    const holder = host.holderOf(port)
    if (holder === null) return []
    const isPublic = port === settings.httpPort || port === settings.httpsPort
    const remedy =
      isPublic && plan.domain !== ''
        ? 'Stop it, or leave out the domain and let it pass requests on to Florin.'
        : `Stop it, or choose another port with FLORIN_PORT in ${ENV_FILE}.`
    return [`Port ${port} is used by ${holder}. ${remedy}`]
  })
}

function roomProblems({ host, plan, state: { executable, source } }: Checked): string[] {
  const needs = [
    [plan.dataDir, DATA_BYTES],
    ...(source === null ? [] : ([[executable, statSync(source).size + SPARE_BYTES]] as const)),
    [ENV_FILE, SPARE_BYTES],
  ] as const
  return needs.flatMap(([path, bytes]) => {
    const folder = nearest(join(host.root, path))
    const free = host.freeBytes(folder)
    if (free >= bytes) return []
    const [has, must] = [free, bytes].map(value => Math.floor(value / MIB))
    return [`The disk of ${folder} has ${has} MiB free, and ${must} MiB are needed for ${path}.`]
  })
}

/** Throws a SettingsError with everything that prevents the setup, before anything is written. */
export async function checkHost(checked: Checked): Promise<void> {
  const { plan } = checked
  const problems = [
    ...executableProblems(checked),
    ...(await downgradeProblems(checked)),
    ...(await accountProblems(checked)),
    ...unitProblems(checked),
    ...folderProblems(checked, plan.dataDir, /^florin[.]/),
    ...(plan.backupDir === '' ? [] : folderProblems(checked, plan.backupDir, /[.]sqlite/)),
    ...portProblems(checked),
    ...roomProblems(checked),
  ]
  if (problems.length === 0) return
  throw new SettingsError(['Nothing was changed.', ...problems].join('\n'))
}

/** Warns of names that do not lead to this machine. This may be right, such as behind a router. */
export async function warningsOf({ host, plan: { domain } }: Pick<Checked, 'host' | 'plan'>) {
  if (!host.isLive || domain === '') return []
  const warnings = await Promise.all(
    domain.split(',').map(async name => {
      const { count, elsewhere } = await host.lookUp(name)
      if (count === 0)
        return `${name} has no address in the DNS yet. Add an A record with the address of this machine.`
      if (elsewhere.length === 0) return ''
      return (
        `${name} leads to ${elsewhere.join(', ')}, which is not an address of this machine. That is right ` +
        'only if ports 80 and 443 are forwarded from there.'
      )
    }),
  )
  return warnings.filter(text => text !== '')
}
