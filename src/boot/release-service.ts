import type { ServiceFacts } from '../domain/notification-facts.ts'
import { RELEASE_ID, type Service } from '../domain/outage.ts'
import type { Settings } from '../settings/table.ts'
import { version as ownVersion } from '../version.ts'
import type { Platform } from './platform.ts'

const DAY_MS = 24 * 3600_000
/**
 * Time limits of a request for the list of releases. They stay below the 30 seconds that a check of a service
 * may take.
 */
const PATIENCE = { silenceMs: 10_000, wholeMs: 20_000 }

interface Answer {
  askedAt: number
  facts: ServiceFacts | null
}

/**
 * The last answer for each server. It is kept here, because services are made again for each round of checks.
 */
const answers = new WeakMap<Platform, Answer>()

/**
 * Asks for a newer release. If the list cannot be read, this is no problem of the server: it is logged, and
 * the last answer stays in use.
 */
async function ask(url: string, version: string, platform: Platform): Promise<ServiceFacts | null> {
  const { fetch, log } = platform
  const target = `${process.platform === 'win32' ? 'windows' : process.platform}-${process.arch}`
  try {
    // Imported here, because the start of a server does not need it.
    const { findNewer } = await import('../updates/find.ts')
    const newer = await findNewer({ fetch, url, version, target, patience: PATIENCE })
    return newer?.isSecurity ? { about: 'release_security', version: newer.release.version } : null
  } catch (error) {
    log.warn({ reason: (error as Error).message }, 'releases.unreadable')
    return answers.get(platform)?.facts ?? null
  }
}

/** Asks once a day for releases that repair a security problem, if the operator has switched this on. */
export function releaseServices(
  { updateCheck, releasesUrl: url }: Settings,
  platform: Platform,
  version = ownVersion,
): Service[] {
  if (!updateCheck) return []
  const recovered = { about: 'release_installed' } as const
  async function check(): Promise<ServiceFacts | null> {
    const last = answers.get(platform)
    const now = platform.now()
    if (last && Math.abs(now - last.askedAt) < DAY_MS) return last.facts
    const facts = await ask(url, version, platform)
    answers.set(platform, { askedAt: now, facts })
    return facts
  }
  return [{ id: RELEASE_ID, kind: 'security_release', afterMs: 0, recovered, check }]
}
