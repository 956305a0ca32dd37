import { accessSync, constants, existsSync, readdirSync, statSync } from 'node:fs'
import { statfs } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { type Check, type Finding, fault, good, orGood, warning } from './finding.ts'

const MB = 1024 * 1024
const FREE_MIN = 64 * MB
const FREE_LOW = 1024 * MB
const WAL_MAX = 256 * MB

/** The folder itself, or the one in which it would be made. */
const nearest = (path: string): string => (existsSync(path) ? path : nearest(dirname(path)))

export const dataDirectory: Check = ({ settings: { dataDir } }) => {
  const check = 'data directory'
  const folder = nearest(resolve(dataDir))
  try {
    accessSync(folder, constants.R_OK | constants.W_OK | constants.X_OK)
    if (statSync(folder).isDirectory()) return [good(check, dataDir)]
  } catch {}
  const remedy = 'Name a folder by FLORIN_DATA_DIR, and give it to the user that Florin runs as.'
  return [fault(check, `${dataDir} is no folder that this user may write.`, remedy)]
}

function reachOf(path: string, own: string): Finding[] {
  const check = 'permissions'
  const mode = statSync(path).mode & 0o077
  if (mode === 0) return []
  const who = mode & 0o007 ? 'everybody' : 'its group'
  return [
    (mode & 0o007 ? fault : warning)(check, `${path} can be read by ${who}.`, `Run: chmod ${own} ${path}`),
  ]
}

export const permissions: Check = ({ settings: { dataDir } }) => {
  if (process.platform === 'win32' || !existsSync(dataDir)) return []
  if (!statSync(dataDir).isDirectory()) return reachOf(dataDir, '600')
  const files = readdirSync(dataDir).filter(name => name.startsWith('florin.'))
  return orGood('permissions', [
    ...reachOf(dataDir, '700'),
    ...files.flatMap(name => reachOf(join(dataDir, name), '600')),
  ])
}

/** A migration and a restore need room for a copy beside the database. */
export function roomFinding(freeBytes: number, databaseBytes: number): Finding {
  const check = 'disk'
  const told = `${Math.floor(freeBytes / MB)} MB are free`
  const remedy = 'Free some, or move FLORIN_DATA_DIR to a larger disk: without room no order can be taken.'
  if (freeBytes < FREE_MIN) return fault(check, `Only ${told} beside the database.`, remedy)
  if (freeBytes < Math.max(FREE_LOW, 2 * databaseBytes))
    return warning(check, `Only ${told} beside the database.`, remedy)
  return good(check, told)
}

const sizeOf = (file: string): number => (existsSync(file) ? statSync(file).size : 0)

export const disk: Check = async ({ settings: { dataDir }, database }) => {
  if (!existsSync(dataDir)) return []
  const { bavail, bsize } = await statfs(dataDir)
  return [roomFinding(bavail * bsize, sizeOf(database))]
}

export const writeAheadLog: Check = ({ database }) => {
  const bytes = sizeOf(`${database}-wal`)
  const check = 'write-ahead log'
  if (bytes <= WAL_MAX) return [good(check, `${Math.ceil(bytes / MB)} MB`)]
  const remedy = 'Something reads the database without an end, such as an open sqlite3 shell. End it.'
  return [warning(check, `${database}-wal has grown to ${Math.ceil(bytes / MB)} MB.`, remedy)]
}
