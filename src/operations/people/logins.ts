import { isLive, type Login } from '../../domain/user.ts'
import type { Context } from '../context.ts'
import { endLogins } from './steps/enter.ts'
import type { Visit } from './visit.ts'

/** The browsers in which a person is signed in, the last used first. */
export async function listLogins(
  { storage, clock }: Pick<Context, 'storage' | 'clock'>,
  { user }: Visit,
): Promise<Login[]> {
  const logins = await storage.read(tables => tables.logins.listOfUser(user.id))
  return logins.filter(login => isLive(login, clock()))
}

/** Signs a person out in one of their browsers. */
export async function endLogin(
  { storage }: Pick<Context, 'storage'>,
  { user }: Visit,
  id: string,
): Promise<void> {
  await storage.write(tables => tables.logins.remove(user.id, id))
}

/** Signs a person out in all browsers but this one. */
export async function endOtherLogins(
  { storage }: Pick<Context, 'storage'>,
  { user, login }: Visit,
): Promise<void> {
  await storage.write(tables => endLogins(tables, user.id, login.id))
}
