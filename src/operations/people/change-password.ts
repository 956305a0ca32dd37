import { LostRace } from '../../domain/errors.ts'
import type { Context } from '../context.ts'
import { checkPassword } from './steps/check-password.ts'
import { endLogins } from './steps/enter.ts'
import { changePerson, type PersonContext } from './steps/record-person.ts'
import type { Visit } from './visit.ts'

/** Sets a new password. Ends the logins in all other browsers, and removes pending password links. */
export async function changePassword(
  context: PersonContext & Pick<Context, 'passwords' | 'policy'>,
  { user, login }: Visit,
  password: string,
): Promise<void> {
  await checkPassword(context, password, user.email)
  const passwordHash = await context.passwords.hash(password)
  await changePerson(context, async (tables, record) => {
    // The login ended while the password was hashed, perhaps because a link was used to set another password.
    if (!(await tables.logins.find(login.id))) throw new LostRace()
    await tables.users.update(user.id, { passwordHash, updatedAt: context.clock() })
    await endLogins(tables, user.id, login.id)
    await tables.userLinks.removeUnused(user.id)
    await record(user, { action: 'password.changed', before: null, after: { by: 'password' } })
  })
}
