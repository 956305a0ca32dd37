import { existsSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { SettingsError } from '../../settings/read.ts'
import { isUpdating } from '../../updates/lock.ts'
import { filesOf, placeOf } from '../../updates/place.ts'
import { giveTo, textOf } from './files.ts'
import type { Host } from './host.ts'
import { ENV_FILE, UNIT_DIR } from './plan.ts'
import { isOwnUnit, readRecord, recordFile, type SetupRecord } from './record.ts'
import { readState } from './state.ts'
import { BACKUP_TIMER, BACKUP_UNIT, SERVER_UNIT } from './units.ts'

/** The result of a removal. */
interface Removal {
  changes: string[]
  /** sentences about files that were changed by hand, and are left */
  kept: string[]
  /** paths of the data and settings that are left; empty if there are none */
  data: string[]
}

function removeUnits({ root }: Host, record: SetupRecord): Pick<Removal, 'changes' | 'kept'> {
  const changes: string[] = []
  const kept: string[] = []
  for (const name of Object.keys(record.units)) {
    const file = join(root, UNIT_DIR, name)
    if (!existsSync(file)) continue
    if (isOwnUnit(record, name, textOf(file) ?? '')) {
      rmSync(file)
      changes.push(`Removed ${file}`)
    } else {
      kept.push(`${file} was changed by hand, and is left.`)
    }
  }
  return { changes, kept }
}

const UPDATING = 'florin update is running. Nothing was changed: run this again when it has ended.'
const toRoot = { uid: 0, gid: 0 }

/**
 * Removes the user that setup made, and makes root the owner of the user's files, because the system may
 * later give the user's ID to another user.
 */
async function removeUser(host: Host, { user, dataDir, backupDir }: SetupRecord): Promise<string[]> {
  for (const path of [dataDir, backupDir, ENV_FILE]) if (path !== '') giveTo(join(host.root, path), toRoot)
  const { exitCode, stderr } = await host.run('userdel', user)
  const isUnknown = 6
  if (exitCode !== 0 && exitCode !== isUnknown)
    throw new SettingsError(
      `The user ${user} could not be removed: ${stderr.trim()} Run this again afterwards.`,
    )
  return exitCode === 0 ? [`Removed the user ${user}`] : []
}

/** Removes the executable that setup installed, and the files that updates left beside it. */
function removeExecutable({ root }: Host, { executable }: SetupRecord): string[] {
  if (executable === null) return []
  const found = filesOf(placeOf(join(root, executable))).filter(existsSync)
  for (const file of found) rmSync(file)
  return found.map(file => `Removed ${file}`)
}

/** Takes back what setup made, and leaves the data. Run again, it completes what was interrupted. */
export async function remove(host: Host): Promise<Removal> {
  const record = readRecord(host)
  if (record === null) return { changes: [], kept: [], data: [] }
  const { hasSystemd, executable } = await readState(host)
  if (isUpdating(placeOf(join(host.root, record.executable ?? executable)))) throw new SettingsError(UPDATING)
  const started: string[] = []
  if (hasSystemd) {
    const units = [SERVER_UNIT, BACKUP_TIMER].filter(name => record.units[name])
    await host.run('systemctl', 'disable', '--now', '--quiet', ...units)
    await host.run('systemctl', 'stop', SERVER_UNIT, BACKUP_TIMER, BACKUP_UNIT)
    started.push('Stopped the service florin')
  }
  const { changes, kept } = removeUnits(host, record)
  if (hasSystemd) {
    await host.run('systemctl', 'daemon-reload')
    await host.run('systemctl', 'reset-failed', SERVER_UNIT, BACKUP_UNIT)
  }
  const users = host.isLive && record.madeUser ? await removeUser(host, record) : []
  const removed = removeExecutable(host, record)
  const data = [record.dataDir, record.backupDir, ENV_FILE]
    .filter(path => path !== '')
    .map(path => join(host.root, path))
    .filter(existsSync)
  rmSync(recordFile(host))
  return { changes: [...started, ...changes, ...users, ...removed], kept, data }
}
