import { existsSync, readdirSync } from 'node:fs'

/** Programs outside of npm, and their Debian or Ubuntu packages. */
const packages = {
  caddy: 'caddy',
  chromium: 'chromium',
  haproxy: 'haproxy',
  litecoind: 'litecoind',
  monerod: 'monero',
  'monero-wallet-rpc': 'monero',
  nginx: 'nginx-light',
  pgbouncer: 'pgbouncer',
  php: 'php-cli',
  postgres: 'postgresql',
  promtool: 'prometheus',
  python3: 'python3',
  'systemd-analyze': 'systemd',
} as const

export type Program = keyof typeof packages

/** Chromium without its window: a page takes a third of the processor time. Ubuntu does not have it. */
export const LIGHT_CHROMIUM = 'chromium-headless-shell'

const variableOf = (name: Program): string => name.toUpperCase().replaceAll('-', '_')

const POSTGRES = '/usr/lib/postgresql'

/** Debian and Ubuntu keep the programs of each version in separate folders. */
const postgresFolders = (): string[] =>
  existsSync(POSTGRES) ? readdirSync(POSTGRES).map(version => `${POSTGRES}/${version}/bin`) : []

function findExecutable(name: string): string | null {
  const usual = ['/usr/bin', '/usr/sbin', ...postgresFolders()]
    .map(folder => `${folder}/${name}`)
    .find(existsSync)
  return usual ?? Bun.which(name)
}

/** The path in an environment variable, a usual path, or a path found in PATH. */
export function findProgram(name: Program): string | null {
  const named = process.env[variableOf(name)]
  if (named) return existsSync(named) ? named : null
  return (name === 'chromium' ? findExecutable(LIGHT_CHROMIUM) : null) ?? findExecutable(name)
}

/** True if `npm test` should try to install the light Chromium, even if the usual one is installed. */
export const isLightChromiumMissing = (): boolean =>
  !process.env[variableOf('chromium')] && findExecutable(LIGHT_CHROMIUM) === null

/** Throws if the program is not installed. */
export function programOf(name: Program): string {
  const found = findProgram(name)
  if (found === null) throw new Error(`${name} was not found: ${remedyOf(name)}`)
  return found
}

/** Advice for installing a missing program. */
export const remedyOf = (name: Program): string =>
  `install it (such as with: apt-get install ${packages[name]}), or set ` + `${variableOf(name)} to its path`

/** The packages of programs that are not installed. */
export const missingPackages = (): string[] => [
  ...new Set(
    Object.entries(packages).flatMap(([name, from]) => (findProgram(name as Program) === null ? [from] : [])),
  ),
]

/**
 * True if tests have to be skipped because a program is missing, which is printed once. In CI, such tests are
 * not skipped, but fail.
 */
export function isMissing(tests: string, ...names: Program[]): boolean {
  const missing = names.filter(name => findProgram(name) === null)
  if (missing.length === 0 || process.env.CI === 'true') return false
  const why = missing.map(name => `${name} was not found; ${remedyOf(name)}`).join('. ')
  process.stderr.write(`${tests} are skipped: ${why}\n`)
  return true
}
