import ipaddr from 'ipaddr.js'
import { maskedDatabaseUrl } from './database-url.ts'
import { domainUrl } from './domain-table.ts'
import { isExchange } from './rate-sources.ts'
import { type SettingKey, type Settings, table } from './table.ts'

export type Environment = Record<string, string | undefined>

/** Invalid settings. One message lists all of them. */
export class SettingsError extends Error {}

const invalid = (problems: string[]): SettingsError =>
  new SettingsError(`Invalid settings:\n- ${problems.join('\n- ')}`)

const keys = Object.keys(table) as SettingKey[]

/** Reads every setting from the environment. Throws a SettingsError that lists each invalid one. */
export function readSettings(environment: Environment): Settings {
  const problems: string[] = []
  const entries = keys.map(key => {
    const { name, default: fallback, read } = table[key]
    try {
      return [key, read(environment[name] || fallback)]
    } catch (error) {
      problems.push(`${name} ${error instanceof Error ? error.message : 'is not valid'}`)
      return [key, undefined]
    }
  })
  const settings = Object.fromEntries(entries) as Settings
  if (problems.length > 0) throw invalid(problems)
  checkCombinations(settings)
  return { ...settings, checkoutUrl: settings.checkoutUrl || domainUrl(settings) }
}

const combinations: readonly [isBroken: (settings: Settings) => boolean, rule: string][] = [
  [
    ({ databaseUrl, backupDir }) => databaseUrl !== null && backupDir !== '',
    'FLORIN_BACKUP_DIR must be empty with FLORIN_DATABASE_URL: use pg_dump, or the backups of the server',
  ],
  [
    ({ gatewayUrl, gatewayCheckoutUrl }) => (gatewayUrl === '') !== (gatewayCheckoutUrl === ''),
    'FLORIN_GATEWAY_URL and FLORIN_GATEWAY_CHECKOUT_URL must be set together',
  ],
  [
    ({ updateCheck, releasesUrl }) => updateCheck && releasesUrl === '',
    'FLORIN_RELEASES_URL must be set with FLORIN_UPDATE_CHECK',
  ],
  [
    ({ smtpUrl, mailFrom }) => (smtpUrl === '') !== (mailFrom === ''),
    'FLORIN_SMTP_URL and FLORIN_MAIL_FROM must be set together',
  ],
  [
    ({ replicaUrl, databaseUrl }) => replicaUrl !== null && databaseUrl !== null,
    'FLORIN_REPLICA_URL copies a database in a file; PostgreSQL has replication of its own',
  ],
  [
    ({ replicaUrl, replicaAccessKey, replicaSecretFile, replicaKeyFile }) =>
      replicaUrl !== null && [replicaAccessKey, replicaSecretFile, replicaKeyFile].includes(''),
    'FLORIN_REPLICA_URL needs FLORIN_REPLICA_ACCESS_KEY, FLORIN_REPLICA_SECRET_FILE and ' +
      'FLORIN_REPLICA_KEY_FILE',
  ],
  [
    ({ notifyUrl, notifySecretFile }) => notifyUrl?.name === 'https' && notifySecretFile === '',
    'FLORIN_NOTIFY_SECRET_FILE must name a file with the signing secret for FLORIN_NOTIFY_URL',
  ],
  [
    ({ notifyUrl, notifySecretFile }) => notifyUrl?.name === 'telegram' && notifySecretFile === '',
    'FLORIN_NOTIFY_SECRET_FILE must name a file with the token of the bot for FLORIN_NOTIFY_URL',
  ],
  [
    ({ sandbox, host }) => sandbox === 'loopback' && !isLoopback(host),
    'FLORIN_HOST must be an address of this machine alone, such as 127.0.0.1, because anyone who reaches ' +
      'the sandbox can mark its orders as paid. To allow that, set FLORIN_SANDBOX=public',
  ],
  [
    ({ sandbox, domains }) => sandbox === 'loopback' && domains.length > 0,
    'FLORIN_DOMAIN serves the sandbox to everyone, who can then mark its orders as paid. To allow that, ' +
      'set FLORIN_SANDBOX=public',
  ],
  [
    ({ domains, httpPort, httpsPort }) => domains.length > 0 && httpPort === httpsPort,
    'FLORIN_HTTP_PORT and FLORIN_HTTPS_PORT must be different',
  ],
]

/** Throws a SettingsError that lists each rule that the settings break. */
export function checkCombinations(settings: Settings): void {
  const problems = combinations.filter(([isBroken]) => isBroken(settings)).map(([, rule]) => rule)
  if (problems.length > 0) throw invalid(problems)
}

/** True if a listening host is reachable only from this machine. */
function isLoopback(host: string): boolean {
  const address = host.replace(/^\[(.*)\]$/, '$1')
  if (ipaddr.isValid(address)) return ipaddr.process(address).range() === 'loopback'
  return /^localhost[.]?$/i.test(address)
}

interface ShownSetting {
  name: string
  value: string
  origin: 'environment' | 'default'
  default: string
  meaning: string
}

/** Every setting as an operator may see it. */
export function showSettings(environment: Environment): ShownSetting[] {
  return keys.map(key => {
    const { name, default: fallback, meaning, isSecret } = table[key]
    const value = environment[name] || fallback
    const shown = isSecret && value !== fallback ? masked(value) : value
    const origin = environment[name] ? 'environment' : 'default'
    return { name, value: shown, origin, default: fallback, meaning }
  })
}

/** Paths and queries of endpoints often contain a key, so only the origin is shown. */
function maskedPart(part: string): string {
  if (part.startsWith('file:') || isExchange(part)) return part
  const [, prefix = '', url = part] = /^([a-z0-9]+\+)(https?:.*)$/i.exec(part) ?? []
  if (!URL.canParse(url)) return '***'
  const { protocol, host } = new URL(url)
  return `${prefix}${protocol}//${host}/***`
}

function masked(value: string): string {
  if (/^postgres/.test(value)) return maskedDatabaseUrl(value)
  return value
    .split(',')
    .map(part => maskedPart(part.trim()))
    .join(',')
}
