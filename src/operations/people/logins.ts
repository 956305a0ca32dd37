import { isLive, type Login } from '../../domain/user.ts'
import type { Tables } from '../../storage/port.ts'
import type { AuditContext } from '../audit/record.ts'
import type { Context } from '../context.ts'
import { endLogins } from './steps/enter.ts'
import { recordPerson } from './steps/record-person.ts'
import type { Visit } from './visit.ts'

type LoginsContext = AuditContext & Pick<Context, 'storage'>

/** The browsers in which a person is signed in, last used first. */
export async function listLogins(
  { storage, clock }: Pick<Context, 'storage' | 'clock'>,
  { user }: Pick<Visit, 'user'>,
): Promise<Login[]> {
  const logins = await storage.read(tables => tables.logins.listOfUser(user.id))
  return logins.filter(login => isLive(login, clock()))
}

const recordEnded = async (
  context: LoginsContext,
  { user }: Visit,
  end: (tables: Tables) => Promise<unknown>,
): Promise<void> =>
  context.storage.write(async tables => {
    const count = async () => ({ logins: (await tables.logins.listOfUser(user.id)).length })
    const before = await count()
    await end(tables)
    await recordPerson(context, tables, user, { action: 'logins.ended', before, after: await count() })
  })

/** Signs a person out in one of their browsers. */
export const endLogin = (context: LoginsContext, visit: Visit, id: string): Promise<void> =>
  recordEnded(context, visit, tables => tables.logins.remove(visit.user.id, id))

/** Signs a person out in all browsers except this one. */
export const endOtherLogins = (context: LoginsContext, visit: Visit): Promise<void> =>
  recordEnded(context, visit, tables => endLogins(tables, visit.user.id, visit.login.id))
