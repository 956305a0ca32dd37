import type { User } from '../../../domain/user.ts'
import type { Tables } from '../../../storage/port.ts'
import type { AuditContext } from '../../audit/record.ts'
import { recordPerson } from './record-person.ts'

export async function dropPasskeys(context: AuditContext, tables: Tables, user: User): Promise<void> {
  for (const { name } of await tables.passkeys.listOfUser(user.id)) {
    await recordPerson(context, tables, user, { action: 'passkey.removed', before: { name }, after: null })
  }
  await tables.passkeys.removeOfUser(user.id)
}
