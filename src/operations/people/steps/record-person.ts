import type { AuditFields } from '../../../domain/audit.ts'
import type { AuditAction } from '../../../domain/audit-action.ts'
import type { User } from '../../../domain/user.ts'
import type { Tables } from '../../../storage/port.ts'
import { type AuditContext, recordAudit } from '../../audit/record.ts'

interface PersonChange {
  /** such as `password.changed` */
  action: AuditAction
  before: AuditFields | null
  after: AuditFields | null
}

/**
 * Records a change of how a person signs in, in the audit log of each of their merchants. An operator, and
 * somebody without a merchant, also has a row of no merchant, which operators see.
 */
export async function recordPerson(
  context: AuditContext,
  tables: Tables,
  { id, isOperator }: Pick<User, 'id' | 'isOperator'>,
  change: PersonChange,
): Promise<void> {
  const memberships = await tables.memberships.listOfUser(id)
  const merchants: (string | null)[] = memberships.map(({ merchantId }) => merchantId)
  if (isOperator || merchants.length === 0) merchants.push(null)
  for (const merchantId of merchants) {
    await recordAudit(context, tables, { merchantId, subject: `user:${id}`, ...change })
  }
}

/** For somebody who proved who they are, and is not signed in yet: they are who changed it. */
export const actingAs = <C extends Pick<AuditContext, 'origin'>>(
  context: C,
  { id }: Pick<User, 'id'>,
): C => ({
  ...context,
  origin: { ...context.origin, actor: `user:${id}` },
})
