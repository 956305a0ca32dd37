import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { parseEnvFile } from '../../settings/env-file.ts'
import type { Environment } from '../../settings/read.ts'
import { type Owner, textOf } from './files.ts'
import type { Host } from './host.ts'
import { ENV_FILE, type Plan } from './plan.ts'
import { readRecord, type SetupRecord } from './record.ts'
import { SERVER_UNIT } from './units.ts'

/** An executable that a package of the distribution installed and updates. Setup leaves it where it is. */
const PACKAGED = '/usr/bin/florin'
const COPIED = '/usr/local/bin/florin'

/** The state of the machine before setup. */
export interface State {
  record: SetupRecord | null
  /** text of the settings file; null if there is none */
  envText: string | null
  environment: Environment
  /** true if this machine was started by systemd */
  hasSystemd: boolean
  /** true if the server runs as a service */
  isRunning: boolean
  /** the path from which the server runs the executable */
  executable: string
  /** the file to copy to that path; null if this process runs from there, or from its source */
  source: string | null
}

export async function readState(host: Host): Promise<State> {
  const { root, isLive } = host
  const envText = textOf(join(root, ENV_FILE))
  const hasSystemd = isLive && existsSync(join(root, '/run/systemd/system'))
  const isRunning =
    hasSystemd && (await host.run('systemctl', 'is-active', '--quiet', SERVER_UNIT)).exitCode === 0
  const isInPlace = isLive && [PACKAGED, COPIED].some(path => host.executable === join(root, path))
  return {
    record: readRecord(host),
    envText,
    environment: envText === null ? {} : parseEnvFile(ENV_FILE, envText),
    hasSystemd,
    isRunning,
    executable: host.executable === PACKAGED ? PACKAGED : COPIED,
    source: isInPlace ? null : host.executable,
  }
}

/** The user and group of the server; null if the machine has none yet, or for a folder. */
export async function accountOf(host: Host, { user }: Pick<Plan, 'user'>): Promise<Owner | null> {
  if (!host.isLive) return null
  const { exitCode, stdout } = await host.run('getent', 'passwd', user)
  const [, , uid, gid] = stdout.trim().split(':')
  return exitCode === 0 ? { uid: Number(uid), gid: Number(gid) } : null
}
