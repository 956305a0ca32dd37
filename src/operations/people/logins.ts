import { isLive, type Login } from '../../domain/user.ts'
import type { Tables } from '../../storage/port.ts'
import type { Context } from '../context.ts'
import { endLogins } from './steps/enter.ts'
import { changePerson, type PersonContext } from './steps/record-person.ts'
import type { Visit } from './visit.ts'

/** The browsers in which a person is signed in, last used first. */
export async function listLogins(
  { storage, clock }: Pick<Context, 'storage' | 'clock'>,
  { user }: Pick<Visit, 'user'>,
): Promise<Login[]> {
  const logins = await storage.read(tables => tables.logins.listOfUser(user.id))
  return logins.filter(login => isLive(login, clock()))
}

const recordEnded = async (
  context: PersonContext,
  { user }: Visit,
  end: (tables: Tables) => Promise<unknown>,
): Promise<void> =>
  changePerson(context, async (tables, record) => {
    const count = async () => ({ logins: (await tables.logins.listOfUser(user.id)).length })
    const before = await count()
    await end(tables)
    await record(user, { action: 'logins.ended', before, after: await count() })
  })

/** Signs a person out in one of their browsers. */
export const endLogin = (context: PersonContext, visit: Visit, id: string): Promise<void> =>
  recordEnded(context, visit, tables => tables.logins.remove(visit.user.id, id))

/** Signs a person out in all browsers except this one. */
export const endOtherLogins = (context: PersonContext, visit: Visit): Promise<void> =>
  recordEnded(context, visit, tables => endLogins(tables, visit.user.id, visit.login.id))
