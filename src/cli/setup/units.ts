import template from '../../../.github/systemd/florin.service' with { type: 'text' }
import { ENV_FILE, type Plan, STATE_DIR } from './plan.ts'

/** Replaces the line NAME=… of a unit. Without new lines, the line is removed. */
function withLine(unit: string, name: string, ...lines: string[]): string {
  const line = new RegExp(`^${name}=.*$`, 'm')
  if (!line.test(unit)) throw new Error(`The unit has no ${name}`)
  return unit.replace(line, () => lines.join('\n')).replaceAll(/\n{3,}/g, '\n\n')
}

/**
 * The settings that a server with a domain needs for ports 80 and 443. The documentation has them as a
 * drop-in.
 */
const portSettings = [
  ['AmbientCapabilities', 'CAP_NET_BIND_SERVICE'],
  ['CapabilityBoundingSet', 'CAP_NET_BIND_SERVICE'],
  ['PrivateUsers', 'false'],
] as const

const head = (name: string): string =>
  `# Written by "florin setup". Change it with "systemctl edit ${name}", which keeps your lines apart.\n\n`

/**
 * Restricts a unit to the user and the folders of its plan. Systemd makes only the usual data directory as
 * its StateDirectory.
 */
const confined = (unit: string, { user, dataDir, backupDir }: Plan): string => {
  const backups = backupDir === '' ? [] : [`ReadWritePaths=-${backupDir}`]
  const named = withLine(withLine(unit, 'User', `User=${user}`), 'ReadWritePaths', ...backups)
  if (dataDir === STATE_DIR) return named
  const own = withLine(named, 'StateDirectory', `ReadWritePaths=${dataDir}`)
  return own.replace(/^StateDirectoryMode=.*\n/m, '')
}

function serverUnit(plan: Plan, executable: string): string {
  const body = template.slice(template.indexOf('[Unit]'))
  let unit = withLine(confined(body, plan), 'ExecStart', `ExecStart=${executable} serve`)
  if (plan.domain !== '')
    for (const [name, value] of portSettings) unit = withLine(unit, name, `${name}=${value}`)
  return head('florin') + unit
}

/**
 * The line of the template at which the restrictions of the process begin. They go on to the end of the
 * section.
 */
const CONFINED_FROM = '# Only these directories'

/** A backup is confined like the server, and has no network. */
function backupUnit(plan: Plan, executable: string): string {
  const from = template.indexOf(CONFINED_FROM)
  const confinement = template.slice(from, template.indexOf('[Install]')).trimEnd()
  const service = [
    '[Unit]',
    'Description=Backup of Florin',
    '',
    '[Service]',
    'Type=oneshot',
    `User=`,
    `ExecStart=${executable} backup`,
    `EnvironmentFile=${ENV_FILE}`,
    'Nice=10',
    'PrivateNetwork=true',
    '',
    confinement,
    '',
  ].join('\n')
  return head('florin-backup') + confined(service, plan)
}

const backupTimer = (): string =>
  `${head('florin-backup.timer')}[Unit]
Description=Daily backup of Florin

[Timer]
# The server makes one itself after 03:30 in the time zone of the shop, if there is none of the day yet.
OnCalendar=*-*-* 03:00
RandomizedDelaySec=10min
# After a night in which the machine was off.
Persistent=true

[Install]
WantedBy=timers.target
`

export const SERVER_UNIT = 'florin.service'
export const BACKUP_UNIT = 'florin-backup.service'
export const BACKUP_TIMER = 'florin-backup.timer'
export const unitNames = [SERVER_UNIT, BACKUP_UNIT, BACKUP_TIMER]

/** The units of a plan by their names. Without backups into a folder, there is no timer. */
export const unitsOf = (plan: Plan, executable: string): Record<string, string> => ({
  [SERVER_UNIT]: serverUnit(plan, executable),
  ...(plan.backupDir !== '' && {
    [BACKUP_UNIT]: backupUnit(plan, executable),
    [BACKUP_TIMER]: backupTimer(),
  }),
})

/** The unit in the documentation, which setup replaces. */
export const documentedUnit = template
