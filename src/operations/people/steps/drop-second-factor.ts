import type { User } from '../../../domain/user.ts'
import type { Tables } from '../../../storage/port.ts'
import type { AuditContext } from '../../audit/record.ts'
import { secondFactorOf } from './enter.ts'
import { recordPerson } from './record-person.ts'

/** Removes the second factor of a user and its recovery codes, if there is one. */
export async function dropSecondFactor(context: AuditContext, tables: Tables, user: User): Promise<void> {
  const factor = await secondFactorOf(tables, user.id)
  await tables.secondFactors.remove(user.id)
  if (!factor) return
  const kind = factor.secret === null ? 'passkeys' : 'app'
  await recordPerson(context, tables, user, { action: 'second_factor.off', before: { kind }, after: null })
}
