import type { CertificateState } from '../certificates/port.ts'
import type { Service } from '../domain/outage.ts'

const HOUR_MS = 3600_000
const DAY_MS = 24 * HOUR_MS

type Dates = NonNullable<CertificateState['certificate']>

/**
 * Times before the expiry at which operators are notified. A certificate is renewed when a third of its
 * lifetime is left, so renewals have then failed for a long time.
 */
const levels: Readonly<Record<string, (lifetimeMs: number) => number>> = {
  fifth: lifetimeMs => lifetimeMs / 5,
  tenth: lifetimeMs => lifetimeMs / 10,
  // Two days would be much of the lifetime of a certificate that is valid for only a week.
  last: lifetimeMs => Math.min(2 * DAY_MS, lifetimeMs / 20),
}

/** True if a certificate should have been renewed a long time ago. */
export const isExpiring = ({ notBefore, notAfter }: Dates, now: number, level = 'fifth'): boolean =>
  notAfter - now < (levels[level]?.(notAfter - notBefore) ?? 0)

/**
 * One service for each time before the expiry, so that each is notified once. The first one also reports the
 * end of the problem.
 */
export const certificateServices = (
  state: (() => CertificateState) | undefined,
  now: () => number,
): Service[] =>
  state === undefined
    ? []
    : Object.keys(levels).map((level, at) => ({
        id: `certificate:${level}`,
        kind: 'certificate_expiring',
        // A new server needs some minutes for its first certificate.
        afterMs: at === 0 ? HOUR_MS : 0,
        recovered: at === 0 ? { about: 'certificate_renewed' } : null,
        async check() {
          const { certificate, names, problem: reason } = state()
          const all = names.join(', ')
          if (certificate === null)
            return at === 0 ? { about: 'certificate_missing', names: all, reason } : null
          if (!isExpiring(certificate, now(), level)) return null
          return { about: 'certificate_expiring', names: all, at: certificate.notAfter, reason }
        },
      }))
