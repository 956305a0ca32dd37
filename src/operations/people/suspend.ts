import { Refusal } from '../../domain/errors.ts'
import type { User } from '../../domain/user.ts'
import type { Tables } from '../../storage/port.ts'
import { endLogins } from './steps/enter.ts'
import { changePerson, type PersonContext, type RecordPerson } from './steps/record-person.ts'
import { refuseOwn } from './steps/roles.ts'

async function setSuspended(
  { clock }: PersonContext,
  tables: Tables,
  record: RecordPerson,
  { user, suspendedAt }: { user: User; suspendedAt: number | null },
): Promise<void> {
  const now = clock()
  await tables.users.update(user.id, { suspendedAt, updatedAt: now })
  const before = { suspended: user.suspendedAt !== null }
  const after = { suspended: suspendedAt !== null }
  const action = suspendedAt === null ? 'user.restored' : 'user.suspended'
  await record(user, { action, before, after })
}

/** Suspends a person: signs them out in all browsers, and refuses to sign them in. */
export const suspendUser = (context: PersonContext, email: string): Promise<User> =>
  changePerson(context, async (tables, record) => {
    const user = await tables.users.findByEmail(email)
    if (!user) throw new Refusal('not_found', 'No user has this email address.')
    refuseOwn(context, user)
    if (user.suspendedAt === null)
      await setSuspended(context, tables, record, { user, suspendedAt: context.clock() })
    await endLogins(tables, user.id, null)
    return user
  })

/** Lets a suspended person sign in again. */
export const restoreUser = (context: PersonContext, email: string): Promise<User> =>
  changePerson(context, async (tables, record) => {
    const user = await tables.users.findByEmail(email)
    if (!user) throw new Refusal('not_found', 'No user has this email address.')
    if (user.suspendedAt !== null) await setSuspended(context, tables, record, { user, suspendedAt: null })
    return user
  })
