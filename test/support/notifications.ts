import type { NotificationFacts } from '../../src/domain/notification-facts.ts'
import { writeNotification } from '../../src/present/notification.ts'
import { dashboardLocale } from '../../views/dashboard/locale.ts'

/** A notification as the command line prints it. In a row from SQL, its facts are JSON. */
export function said({ facts }: { facts?: unknown }): string {
  const known = (typeof facts === 'string' ? JSON.parse(facts) : facts) as NotificationFacts
  return writeNotification(dashboardLocale('en', 'UTC'), known, 'shell').text
}

/** A notification whose English text is only this reason. */
export const saying = (reason: string): NotificationFacts => ({
  about: 'service_unknown',
  kind: 'disk_low',
  reason,
  fault: null,
})
