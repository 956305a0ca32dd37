import { canSignInAt } from '../../domain/user.ts'
import { ENV_FILE, type Plan } from './plan.ts'
import { BACKUP_TIMER, SERVER_UNIT } from './units.ts'

/** The outcome of a setup. */
export interface Result {
  plan: Plan
  executable: string
  root: string
  /** false if setup only wrote the files of a future machine into a folder */
  isLive: boolean
  /** true if the server runs as a service */
  isStarted: boolean
  /** the changes that were made, as sentences */
  changes: string[]
  warnings: string[]
  /**
   * link with which the first person chooses a password; null if a person can sign in already, or nothing was
   * started
   */
  link: string | null
  dashboardUrl: string
}

const PORTS = 'net_bind_service'

/**
 * The command that starts the server without systemd. Ports below 1024 need a capability, as another user
 * than root.
 */
function startLine({ plan: { user, domain }, executable }: Result): string {
  const ports = `--bounding-set=-all,+${PORTS} --inh-caps=-all,+${PORTS} --ambient-caps=+${PORTS} `
  return (
    `setpriv --reuid=${user} --regid=${user} --init-groups --no-new-privs ${domain === '' ? '' : ports}` +
    `${executable} serve --env-file ${ENV_FILE}`
  )
}

function withoutSystemd(result: Result): string[] {
  const { backupDir } = result.plan
  return [
    'This machine was not started by systemd, so no service was written: nothing starts Florin at boot, or',
    'again after a crash. Start it in a terminal, or in the run script of a supervisor after "exec", with:',
    `  ${startLine(result)}`,
    ...(backupDir === '' ? [] : [`The server makes the daily backup itself, into ${backupDir}.`]),
    'On a terminal, it shows a link and a code for the first sign-in.',
  ]
}

function forImage({ plan, root }: Result): string[] {
  const { user, dataDir, backupDir } = plan
  const timer = backupDir === '' ? '' : ` ${BACKUP_TIMER}`
  return [
    `Nothing was started, and no user was made. What is left for ${root}, as root on the machine itself:`,
    `  useradd --system --user-group --home-dir ${dataDir} --shell /usr/sbin/nologin ${user}`,
    `  chown -R ${user}: ${[dataDir, backupDir, ENV_FILE].filter(path => path !== '').join(' ')}`,
    `  systemctl enable --now ${SERVER_UNIT}${timer}`,
    `Then, for the first sign-in: runuser -u ${user} -- florin user code --env-file ${ENV_FILE}`,
  ]
}

function nextSteps({ link, dashboardUrl, plan: { user, domain } }: Result): string[] {
  const isLocal = domain === '' && canSignInAt(dashboardUrl) && !dashboardUrl.startsWith('https:')
  const { port } = new URL(dashboardUrl)
  return [
    ...(link === null
      ? [`Florin runs. Sign in at ${dashboardUrl}`]
      : ['Florin runs. Open this link within 3 days and choose a password:', '', `  ${link}`]),
    '',
    ...(isLocal
      ? [
          'The address works on this machine alone. From your own computer, use it through',
          `ssh -L ${port}:127.0.0.1:${port} NAME_OF_THIS_SERVER. For others, put a reverse proxy with`,
          `HTTPS in front, and set FLORIN_CHECKOUT_URL in ${ENV_FILE}.`,
        ]
      : []),
    ...(domain === ''
      ? []
      : ['Ports 80 and 443 have to be reachable from outside. The first certificate takes up to a minute.']),
    'Log: journalctl -u florin -o cat',
    `Check: runuser -u ${user} -- florin doctor --env-file ${ENV_FILE}`,
  ]
}

/** The result for a person: what was done, what is doubtful, and what comes next. */
export function textOf(result: Result): string {
  const { changes, warnings, isLive, isStarted } = result
  const next = isStarted ? nextSteps : isLive ? withoutSystemd : forImage
  return [
    ...(changes.length === 0 ? ['Everything is as it should be.'] : changes),
    ...warnings.map(text => `Warning: ${text}`),
    '',
    ...next(result),
  ].join('\n')
}
