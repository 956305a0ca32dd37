import { Refusal } from '../../domain/errors.ts'
import type { User } from '../../domain/user.ts'
import type { Tables } from '../../storage/port.ts'
import type { AuditContext } from '../audit/record.ts'
import type { Context } from '../context.ts'
import { endLogins } from './steps/enter.ts'
import { recordPerson } from './steps/record-person.ts'
import { refuseOwn } from './steps/roles.ts'

type SuspendContext = AuditContext & Pick<Context, 'storage'>

async function setSuspended(
  context: SuspendContext,
  tables: Tables,
  user: User,
  suspendedAt: number | null,
): Promise<void> {
  const now = context.clock()
  await tables.users.update(user.id, { suspendedAt, updatedAt: now })
  const before = { suspended: user.suspendedAt !== null }
  const after = { suspended: suspendedAt !== null }
  const action = suspendedAt === null ? 'user.restored' : 'user.suspended'
  await recordPerson(context, tables, user, { action, before, after })
}

/** Suspends a person: signs them out in all browsers, and refuses to sign them in. */
export const suspendUser = (context: SuspendContext, email: string): Promise<User> =>
  context.storage.write(async tables => {
    const user = await tables.users.findByEmail(email)
    if (!user) throw new Refusal('not_found', 'No user has this email address.')
    refuseOwn(context, user)
    if (user.suspendedAt === null) await setSuspended(context, tables, user, context.clock())
    await endLogins(tables, user.id, null)
    return user
  })

/** Lets a suspended person sign in again. */
export const restoreUser = (context: SuspendContext, email: string): Promise<User> =>
  context.storage.write(async tables => {
    const user = await tables.users.findByEmail(email)
    if (!user) throw new Refusal('not_found', 'No user has this email address.')
    if (user.suspendedAt !== null) await setSuspended(context, tables, user, null)
    return user
  })
