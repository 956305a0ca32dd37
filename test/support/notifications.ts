import type { NotificationFacts } from '../../src/domain/notification-facts.ts'
import { writeNotification } from '../../src/present/notification.ts'
import { dashboardLocale } from '../../views/dashboard/locale.ts'

/** What a notification says on the command line. A row of SQL has its facts as JSON. */
export function said({ facts }: { facts?: unknown }): string {
  const known = (typeof facts === 'string' ? JSON.parse(facts) : facts) as NotificationFacts
  return writeNotification(dashboardLocale('en', 'UTC'), known, 'shell').text
}

/** A notification that says this alone in English. */
export const saying = (reason: string): NotificationFacts => ({
  about: 'service_unknown',
  kind: 'disk_low',
  reason,
  fault: null,
})
