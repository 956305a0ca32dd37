import { accessSync, constants, existsSync, readdirSync, statSync } from 'node:fs'
import { statfs } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { OPEN_FILES_REMEDY, openFilesProblem, readOpenFiles } from '../../boot/open-files.ts'
import { readKeys, secretsFileOf } from '../../boot/secrets-file.ts'
import { DISK_LEAST_BYTES, isDiskLow } from '../../domain/outage.ts'
import type { Settings } from '../../settings/table.ts'
import {
  type Check,
  type DoctorContext,
  type Finding,
  fault,
  good,
  orGood,
  type Rows,
  warning,
} from './finding.ts'

const MB = 1024 * 1024
const WAL_MAX = 256 * MB

/** The folder itself, or its nearest existing parent. */
const nearest = (path: string): string => (existsSync(path) ? path : nearest(dirname(path)))

export const dataDirectory: Check = ({ settings: { dataDir } }) => {
  const check = 'data directory'
  const folder = nearest(resolve(dataDir))
  try {
    accessSync(folder, constants.R_OK | constants.W_OK | constants.X_OK)
    if (statSync(folder).isDirectory()) return [good(check, dataDir)]
  } catch {}
  const remedy = 'Set FLORIN_DATA_DIR to a folder that the user running Florin can write to.'
  return [fault(check, `${dataDir} is not a folder that this user can write to.`, remedy)]
}

function reachOf(path: string, own: string): Finding[] {
  const check = 'permissions'
  const mode = statSync(path).mode & 0o077
  if (mode === 0) return []
  const who = mode & 0o007 ? 'everyone' : 'its group'
  return [
    (mode & 0o007 ? fault : warning)(check, `${path} can be read by ${who}.`, `Run: chmod ${own} ${path}`),
  ]
}

export const permissions: Check = ({ settings: { dataDir } }) => {
  if (process.platform === 'win32' || !existsSync(dataDir)) return []
  if (!statSync(dataDir).isDirectory()) return reachOf(dataDir, '600')
  const certificates = join(dataDir, 'certificates')
  const files = readdirSync(dataDir).filter(name => name.startsWith('florin.'))
  return orGood('permissions', [
    ...reachOf(dataDir, '700'),
    ...(existsSync(certificates) ? reachOf(certificates, '700') : []),
    ...files.flatMap(name => reachOf(join(dataDir, name), '600')),
  ])
}

/** Checks that the server can read a file that a command of root may have created. */
function ownerOf(check: string, file: string, dataDir: string): Finding[] {
  const [{ uid }, folder] = [statSync(file), statSync(dataDir)]
  if (uid === folder.uid) return []
  const remedy = `Run: chown ${folder.uid}:${folder.gid} ${file}`
  return [fault(check, `${file} does not belong to the user of ${dataDir}.`, remedy)]
}

function faultsOf(check: string, file: string, dataDir: string): Finding[] {
  if (!existsSync(file)) return []
  const isPosix = process.platform !== 'win32'
  const found = isPosix ? [...reachOf(file, '600'), ...ownerOf(check, file, dataDir)] : []
  try {
    if (readKeys(file).length < 2) return found
  } catch (error) {
    return [...found, fault(check, (error as Error).message, 'Restore the file from your copy of it.')]
  }
  const remedy = 'Run: florin provider rotate-key'
  return [
    ...found,
    warning(check, 'A change of the key was interrupted. The former key still opens.', remedy),
  ]
}

/** Checks the file with the key that encrypts the stored credentials of providers. */
export const secretsFile = ({
  settings,
  rows,
}: {
  settings: Pick<Settings, 'secretsFile' | 'dataDir'>
  rows: Pick<Rows, 'secrets'> | null
}): Finding[] => {
  const file = secretsFileOf(settings)
  const { sealed, opened } = rows?.secrets ?? { sealed: 0, opened: 0 }
  const check = 'secrets file'
  const found = faultsOf(check, file, settings.dataDir)
  if (opened === sealed) {
    if (sealed === 0 || found.length > 0) return found
    const accounts = sealed === 1 ? 'one account' : `${sealed} accounts`
    const copy = 'No backup contains it: keep a copy elsewhere.'
    return [good(check, `${file} opens ${accounts} with payment providers. ${copy}`)]
  }
  const lost = `${sealed - opened} of ${sealed} accounts with payment providers cannot be used: `
  const cause = existsSync(file) ? `${file} has another key.` : `there is no key in ${file}.`
  const remedy =
    'Restore the file, or set FLORIN_SECRETS_FILE to it, and restart Florin. If it is lost, enter the ' +
    'accounts again. Until then, their cards are not offered, and all other payments work.'
  return [...found, fault(check, lost + cause, remedy)]
}

export function roomFinding(freeBytes: number, databaseBytes: number): Finding {
  const check = 'disk'
  const free = `${Math.floor(freeBytes / MB)} MB free`
  const remedy =
    'Free some space or move FLORIN_DATA_DIR to a larger disk. Without space, no orders can be taken.'
  if (freeBytes < DISK_LEAST_BYTES) return fault(check, `Only ${free} on the database disk.`, remedy)
  if (isDiskLow(freeBytes, databaseBytes)) return warning(check, `Only ${free} on the database disk.`, remedy)
  return good(check, free)
}

const sizeOf = (file: string): number => (existsSync(file) ? statSync(file).size : 0)

export const disk: Check = async ({ settings: { dataDir }, database }) => {
  if (!existsSync(dataDir)) return []
  const { bavail, bsize } = await statfs(dataDir)
  return [roomFinding(bavail * bsize, sizeOf(database))]
}

/** Checks the limit on open files. A server started from the same shell has the same limit. */
export const openFiles: Check = () => {
  const files = readOpenFiles()
  const problem = files && openFilesProblem(files)
  if (!files) return []
  const check = 'open files'
  return [problem ? warning(check, problem, OPEN_FILES_REMEDY) : good(check, `at most ${files.limit}`)]
}

/** Lists copies left by migrations and restores. The server removes old ones. */
export const copies: Check = ({ copies: found }) =>
  found.map(({ file, bytes }) => good('copy', `${file} (${Math.ceil(bytes / MB)} MB)`))

export const writeAheadLog: Check = ({ database }) => {
  const bytes = sizeOf(`${database}-wal`)
  const check = 'write-ahead log'
  if (bytes <= WAL_MAX) return [good(check, `${Math.ceil(bytes / MB)} MB`)]
  const remedy =
    'Close every other program that has the database open, such as a sqlite3 shell. Until ' +
    'then, the file keeps growing.'
  return [warning(check, `${database}-wal has grown to ${Math.ceil(bytes / MB)} MB.`, remedy)]
}

/** Variables that the JavaScript runtime of the executable reads before Florin starts. */
const risks: Record<string, string> = {
  BUN_OPTIONS: 'can run code inside Florin',
  NODE_OPTIONS: 'is not meant for Florin, and can run code inside other programs',
  BUN_BE_BUN: 'makes the executable run other code instead of Florin',
  BUN_INSPECT: 'lets debuggers run code inside Florin',
  BUN_INSPECT_CONNECT_TO: 'lets a debugger run code inside Florin',
  BUN_INSPECT_PRELOAD: 'can run code inside Florin',
  BUN_CONFIG_VERBOSE_FETCH: 'prints requests to endpoints, with their keys',
}

const NO_TLS = 'NODE_TLS_REJECT_UNAUTHORIZED'

const remedyOf = (name: string): string =>
  `Unset ${name} for this command and for the server, unless you set it on purpose.`

/**
 * Warns of variables with which others can influence Florin. A server started from the same environment has
 * them too.
 */
export const environment = ({ environment: variables }: Pick<DoctorContext, 'environment'>): Finding[] => {
  const check = 'environment'
  const found = Object.entries(risks).filter(([name]) => variables[name])
  const all = variables[NO_TLS] === '0' ? [...found, [NO_TLS, 'turns off the checks of certificates']] : found
  return orGood(
    check,
    all.map(([name = '', risk]) => warning(check, `${name} is set: it ${risk}.`, remedyOf(name))),
  )
}
