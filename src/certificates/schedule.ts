import type { FaultKind } from './fault.ts'
import type { Certificate } from './port.ts'

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
const DAY_MS = 24 * HOUR_MS

/**
 * Waiting times after consecutive failures. Let's Encrypt refuses a name after five failed challenges within
 * an hour, so at most five tries fall into the first hour.
 */
const RETRY_MS = [2, 5, 15, 30, 60, 120, 240, 360].map(minutes => minutes * MINUTE_MS)
/**
 * Waiting times if the CA cannot be reached. Such tries do not count towards its limits, and the network of a
 * machine that has just started may take a moment.
 */
const RETRY_UNREACHABLE_MS = [15_000, MINUTE_MS, ...RETRY_MS]

/** The period in which the CA suggests to renew (RFC 9773). */
export interface RenewalWindow {
  start: number
  end: number
}

type Dates = Pick<Certificate, 'notBefore' | 'notAfter'>

const lifetimeOf = ({ notBefore, notAfter }: Dates): number => notAfter - notBefore

/**
 * Returns the time when a certificate is due for renewal: at a random time in the window of the CA, but no
 * later than when a third of its lifetime is left. A CA that will revoke a certificate asks for a new one at
 * once. Such a request is followed once a day at most, because a faulty CA could make it for each new
 * certificate.
 */
export function renewalAt(dates: Dates, window: RenewalWindow | null, share: number): number {
  const lifetime = lifetimeOf(dates)
  const latest = dates.notAfter - lifetime / 3
  if (window === null) return latest
  const chosen = window.start + share * (window.end - window.start)
  const earliest = dates.notBefore + Math.min(DAY_MS, lifetime / 3)
  return Math.min(Math.max(chosen, earliest), latest)
}

/** Returns the time of the next try after a number of consecutive failures. */
export function retryAt(
  failures: number,
  { now, left, kind, asked }: { now: number; left: number; kind: FaultKind; asked: number | null },
): number {
  const waits = kind === 'unreachable' ? RETRY_UNREACHABLE_MS : RETRY_MS
  const wait = waits[Math.min(failures, waits.length) - 1] ?? MINUTE_MS
  const own = now + (left < 2 * DAY_MS ? Math.min(wait, HOUR_MS) : wait)
  // A CA may ask to wait for a week. Florin waits for a day at most, in case the limit is lifted sooner.
  const least = kind === 'rateLimited' ? HOUR_MS : 0
  return Math.min(Math.max(own, asked ?? 0, now + least), now + DAY_MS)
}

/** Returns the time of the first try after a restart: soon, unless the CA refuses more requests. */
export const retryAfterStart = (
  { triedAt, retryAt: at, isRateLimited }: { triedAt: number; retryAt: number; isRateLimited: boolean },
  now: number,
): number => {
  const wait = isRateLimited ? at - now : Math.min(at, triedAt + 20 * MINUTE_MS) - now
  return now + Math.min(Math.max(wait, 0), DAY_MS)
}
