import { existsSync, realpathSync } from 'node:fs'
import { type Environment, run } from './child.ts'
import { UpdateError } from './update-error.ts'

const NAME = 'florin.service'
const ASK_MS = 10_000
/** Time limit of a systemctl command: longer than the TimeoutStopSec of the unit. */
const STOP_MS = 120_000

/** The systemd unit that runs an executable. */
export interface Unit {
  /** sources of the server's settings: its environment files, its variables, and its working directory */
  settings: { files: string[]; values: Record<string, string>; folder: string }
  isActive(): Promise<boolean>
  /** process ID of the main process; 0 if there is none */
  pid(): Promise<number>
  /** Like `start`, returns before the server is ready. */
  restart(): Promise<void>
  start(): Promise<void>
  /** Returns once the server has ended. */
  stop(): Promise<void>
}

const properties = [
  'MainPID',
  'ActiveState',
  'ExecStart',
  'EnvironmentFiles',
  'Environment',
  'WorkingDirectory',
]

async function show(environment: Environment): Promise<Map<string, string> | null> {
  const command = ['systemctl', 'show', NAME, `--property=${properties.join(',')}`]
  const ran = await run(command, environment, ASK_MS).catch(() => null)
  if (ran?.exitCode !== 0) return null
  const rows = ran.stdout.split('\n').map(line => line.split(/=(.*)/s, 2))
  const shown = new Map<string, string>()
  // A unit with several environment files has several lines of the same name.
  for (const [name = '', value = ''] of rows) shown.set(name, [shown.get(name), value].join('\n').trim())
  return shown
}

const actives = ['active', 'activating', 'reloading']

const valuesOf = (text: string): Record<string, string> =>
  Object.fromEntries(
    [...text.matchAll(/"([^"]*)"|(\S+)/g)].map(([, quoted, plain = '']) => {
      const [name = '', value = ''] = (quoted ?? plain).split(/=(.*)/s, 2)
      return [name, value]
    }),
  )

/** Returns the unit that runs this executable; null if there is none, or no systemd. */
export async function unitOf(executable: string, environment: Environment): Promise<Unit | null> {
  const shown = await show(environment)
  const [, path = ''] = /path=(.*?) ;/.exec(shown?.get('ExecStart') ?? '') ?? []
  if (shown === null || !existsSync(path) || realpathSync(path) !== realpathSync(executable)) return null
  async function control(...args: string[]): Promise<void> {
    const { exitCode, reason } = await run(['systemctl', ...args, NAME], environment, STOP_MS)
    if (exitCode !== 0) throw new UpdateError(`systemctl ${args[0]} ${NAME} failed: ${reason}`)
  }
  return {
    settings: {
      files: [...(shown.get('EnvironmentFiles') ?? '').matchAll(/^-?(\/.*?)(?: \(ignore_errors=\w+\))?$/gm)]
        .map(([, file = '']) => file)
        .filter(file => existsSync(file)),
      values: valuesOf(shown.get('Environment') ?? ''),
      folder: shown.get('WorkingDirectory') || '/',
    },
    isActive: async () => actives.includes((await show(environment))?.get('ActiveState') ?? ''),
    pid: async () => Number((await show(environment))?.get('MainPID') ?? 0),
    restart: () => control('restart', '--no-block'),
    start: () => control('start', '--no-block'),
    stop: () => control('stop'),
  }
}
