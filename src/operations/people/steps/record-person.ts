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

/** The merchants whose audit logs have a person's sign-in. Null stands for the rows of operators. */
export async function merchantsOf(
  tables: Tables,
  { id, isOperator }: Pick<User, 'id' | 'isOperator'>,
): Promise<(string | null)[]> {
  const memberships = await tables.memberships.listOfUser(id)
  const merchants: (string | null)[] = memberships.map(({ merchantId }) => merchantId)
  return isOperator || merchants.length === 0 ? [...merchants, null] : merchants
}

/**
 * Records a change of a person's sign-in in the audit log of each of their merchants. Operators, and people
 * without a merchant, also get a row without a merchant, which operators see.
 */
export async function recordPerson(
  context: AuditContext,
  tables: Tables,
  { id, isOperator }: Pick<User, 'id' | 'isOperator'>,
  change: PersonChange,
): Promise<void> {
  for (const merchantId of await merchantsOf(tables, { id, isOperator })) {
    await recordAudit(context, tables, { merchantId, subject: `user:${id}`, ...change })
  }
}

/** Makes a person the author of changes who has proved their identity but is not signed in yet. */
export const actingAs = <C extends Pick<AuditContext, 'origin'>>(
  context: C,
  { id }: Pick<User, 'id'>,
): C => ({
  ...context,
  origin: { ...context.origin, actor: `user:${id}` },
})
