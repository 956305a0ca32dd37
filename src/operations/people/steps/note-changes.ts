import type { NotificationFacts } from '../../../domain/notification-facts.ts'
import type { Role } from '../../../domain/user.ts'
import type { Tables } from '../../../storage/port.ts'
import type { AuditContext } from '../../audit/record.ts'
import { authorOf, userIdOf } from '../../notices/author.ts'
import { notifyOf } from '../../notices/notify.ts'

type RoleChange = { email: string; before: Role | null; role: Role | null }

/** Notifies the other owners that a person was added or removed, or has another role. */
export async function notePeople(
  context: AuditContext,
  tables: Tables,
  merchantId: string,
  change: RoleChange,
): Promise<void> {
  // A command is run by the operator, who may add the first person, so there is no other owner to notify.
  if (userIdOf(context.origin.actor) === null || change.before === change.role) return
  const facts: NotificationFacts = {
    about: 'people_changed',
    ...change,
    ...(await authorOf(context, tables)),
  }
  await notifyOf(context, tables, merchantId, facts)
}
