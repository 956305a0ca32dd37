import { existsSync } from 'node:fs'

/** Real parts that come with no npm package, and the package of Debian and Ubuntu that brings each. */
const packages = {
  chromium: 'chromium',
  litecoind: 'litecoind',
  monerod: 'monero',
  'monero-wallet-rpc': 'monero',
} as const

export type Program = keyof typeof packages

/** Where an environment variable names it, or in its usual place, or on the PATH. */
export function findProgram(name: Program): string | null {
  const named = process.env[name.toUpperCase().replaceAll('-', '_')]
  if (named) return existsSync(named) ? named : null
  const usual = `/usr/bin/${name}`
  return existsSync(usual) ? usual : Bun.which(name)
}

/** Throws where it is not there. */
export function programOf(name: Program): string {
  const found = findProgram(name)
  if (found === null) throw new Error(`${name} was not found: ${remedyOf(name)}`)
  return found
}

const remedyOf = (name: Program): string =>
  `install it (such as with: apt-get install ${packages[name]}), or set ` +
  `${name.toUpperCase().replaceAll('-', '_')} to its path`

/** The packages of what is not there. */
export const missingPackages = (): string[] => [
  ...new Set(
    Object.entries(packages).flatMap(([name, from]) => (findProgram(name as Program) === null ? [from] : [])),
  ),
]

/**
 * Whether tests that need these have to be skipped, which is told once. In CI nothing may be skipped: there
 * they fail.
 */
export function isMissing(tests: string, ...names: Program[]): boolean {
  const missing = names.filter(name => findProgram(name) === null)
  if (missing.length === 0 || process.env.CI === 'true') return false
  const why = missing.map(name => `${name} was not found; ${remedyOf(name)}`).join('. ')
  process.stderr.write(`${tests} are skipped: ${why}\n`)
  return true
}
