import type { Context } from '../context.ts'
import { endLogins } from './steps/enter.ts'
import { checkPassword } from './steps/password.ts'
import type { Visit } from './visit.ts'

/** Chooses a new password. It ends the logins in all other browsers. */
export async function changePassword(
  { passwords, storage, clock }: Pick<Context, 'passwords' | 'storage' | 'clock'>,
  { user, login }: Visit,
  password: string,
): Promise<void> {
  checkPassword(password, user.email)
  const passwordHash = await passwords.hash(password)
  await storage.write(async tables => {
    await tables.users.update(user.id, { passwordHash, updatedAt: clock() })
    await endLogins(tables, user.id, login.id)
  })
}
