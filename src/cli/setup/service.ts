import { SettingsError } from '../../settings/read.ts'
import type { Host, Ran } from './host.ts'
import { ENV_FILE, type Plan } from './plan.ts'
import type { State } from './state.ts'
import { BACKUP_TIMER, SERVER_UNIT } from './units.ts'

const LOG_LINES = '15'

async function systemctl(host: Host, ...args: string[]): Promise<void> {
  const { exitCode, stderr } = await host.run('systemctl', ...args)
  if (exitCode !== 0)
    throw new SettingsError(`systemctl ${args.join(' ')} failed: ${stderr.trim() || `status ${exitCode}`}`)
}

/** Explains by the last lines of the log why the server does not run. */
async function explain(host: Host, startedAt: number): Promise<SettingsError> {
  const since = ['--since', `@${Math.floor(startedAt / 1000)}`]
  const lines = ['-n', LOG_LINES, '-o', 'cat', '--no-pager', '--quiet']
  const log = await host.run('journalctl', '-u', SERVER_UNIT, ...since, ...lines)
  return new SettingsError(
    `Everything is written, but the server does not start. Its log (journalctl -u florin) says:\n` +
      `${log.stdout.trim() || log.stderr.trim()}\nCorrect it, and run florin setup again.`,
  )
}

/** Starts the service and its backups now and at each boot. Returns once the server answers. */
export async function startService(
  host: Host,
  { backupDir }: Plan,
  { isRunning }: State,
  needsRestart: boolean,
): Promise<string[]> {
  const timers = backupDir === '' ? [] : [BACKUP_TIMER]
  await systemctl(host, 'daemon-reload')
  await systemctl(host, 'enable', '--quiet', SERVER_UNIT, ...timers)
  const verb = !isRunning ? 'start' : needsRestart ? 'restart' : null
  // With Type=notify, systemctl returns once the server has reported that it answers, or has failed to start.
  const startedAt = Date.now()
  if (verb !== null && (await host.run('systemctl', verb, SERVER_UNIT)).exitCode !== 0)
    throw await explain(host, startedAt)
  if (timers.length > 0) await systemctl(host, 'start', ...timers)
  if (verb === null) return []
  return [isRunning ? 'Restarted the service florin' : 'Started the service florin, now and at each boot']
}

/** Runs a command of Florin as the user of the server, with its settings. */
const asServer = (host: Host, { user }: Plan, { executable }: State, ...args: string[]): Promise<Ran> =>
  host.run('runuser', '-u', user, '--', executable, ...args, '--json', '--env-file', ENV_FILE)

async function jsonOf<T>(ran: Promise<Ran>): Promise<T> {
  const { exitCode, stdout, stderr } = await ran
  if (exitCode !== 0) throw new SettingsError(`The server runs, but: ${stderr.trim() || stdout.trim()}`)
  return JSON.parse(stdout) as T
}

interface Person {
  email: string
  hasPassword: boolean
}

/** A link with which the first person chooses a password; null if a person can sign in already. */
export async function firstLink(host: Host, plan: Plan, state: State): Promise<string | null> {
  const { items } = await jsonOf<{ items: Person[] }>(asServer(host, plan, state, 'user', 'list'))
  if (items.some(({ hasPassword }) => hasPassword)) return null
  const [first] = items
  const email = first?.email ?? plan.email
  const command = email === '' ? ['code'] : ['create', '--email', email]
  const { link } = await jsonOf<{ link: string }>(asServer(host, plan, state, 'user', ...command))
  return link
}
