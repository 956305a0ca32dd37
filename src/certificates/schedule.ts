import type { FaultKind } from './fault.ts'
import type { Certificate } from './port.ts'

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
const DAY_MS = 24 * HOUR_MS

/**
 * Waiting times after failures in a row. Let's Encrypt refuses a name whose challenge failed five times in an
 * hour, so no more than five tries fit into the first one.
 */
const RETRY_MS = [2, 5, 15, 30, 60, 120, 240, 360].map(minutes => minutes * MINUTE_MS)
/** A CA that does not answer counts nothing: the network of a machine that starts may take a moment. */
const RETRY_UNREACHABLE_MS = [15_000, MINUTE_MS, ...RETRY_MS]

/** When the CA suggests to renew (RFC 9773). */
export interface RenewalWindow {
  start: number
  end: number
}

type Dates = Pick<Certificate, 'notBefore' | 'notAfter'>

const lifetimeOf = ({ notBefore, notAfter }: Dates): number => notAfter - notBefore

/**
 * When a certificate is due for renewal: at a random moment of the window, and no later than when a third of
 * its lifetime is left. A CA that asks for a new one at once, because it will revoke the certificate, is
 * obeyed once a day at most: its answer may be wrong for each certificate.
 */
export function renewalAt(dates: Dates, window: RenewalWindow | null, share: number): number {
  const lifetime = lifetimeOf(dates)
  const latest = dates.notAfter - lifetime / 3
  if (window === null) return latest
  const chosen = window.start + share * (window.end - window.start)
  const earliest = dates.notBefore + Math.min(DAY_MS, lifetime / 3)
  return Math.min(Math.max(chosen, earliest), latest)
}

/** When to try again after a number of failures in a row. */
export function retryAt(
  failures: number,
  { now, left, kind, asked }: { now: number; left: number; kind: FaultKind; asked: number | null },
): number {
  const waits = kind === 'unreachable' ? RETRY_UNREACHABLE_MS : RETRY_MS
  const wait = waits[Math.min(failures, waits.length) - 1] ?? MINUTE_MS
  const own = now + (left < 2 * DAY_MS ? Math.min(wait, HOUR_MS) : wait)
  // A CA may ask for a week; a limit that was lifted sooner is noticed within a day.
  const least = kind === 'rateLimited' ? HOUR_MS : 0
  return Math.min(Math.max(own, asked ?? 0, now + least), now + DAY_MS)
}

/** A restart tries soon what failed, unless the CA refuses more requests. */
export const retryAfterStart = (
  { triedAt, retryAt: at, isRateLimited }: { triedAt: number; retryAt: number; isRateLimited: boolean },
  now: number,
): number => {
  const wait = isRateLimited ? at - now : Math.min(at, triedAt + 20 * MINUTE_MS) - now
  return now + Math.min(Math.max(wait, 0), DAY_MS)
}
