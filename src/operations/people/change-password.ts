import { invalid, LostRace } from '../../domain/errors.ts'
import { PASSWORD_MAX, PASSWORD_MIN } from '../../domain/user.ts'
import type { Context } from '../context.ts'
import { endLogins } from './steps/enter.ts'
import { changePerson, type PersonContext } from './steps/record-person.ts'
import type { Visit } from './visit.ts'

/** Refuses a password that is easy to guess. */
export function checkPassword(password: string, email: string): void {
  const { length } = [...password]
  if (length < PASSWORD_MIN) throw invalid('password', `must have at least ${PASSWORD_MIN} characters`)
  if (length > PASSWORD_MAX) throw invalid('password', `must have at most ${PASSWORD_MAX} characters`)
  if (password.toLowerCase().includes(email.toLowerCase())) {
    throw invalid('password', 'must not contain the email address')
  }
  if (new Set(password).size < 4) throw invalid('password', 'must have at least 4 different characters')
}

/** Sets a new password. Ends the logins in all other browsers, and removes pending password links. */
export async function changePassword(
  context: PersonContext & Pick<Context, 'passwords'>,
  { user, login }: Visit,
  password: string,
): Promise<void> {
  checkPassword(password, user.email)
  const passwordHash = await context.passwords.hash(password)
  await changePerson(context, async (tables, record) => {
    // The login ended while the password was hashed, perhaps because a link was used to set another one.
    if (!(await tables.logins.find(login.id))) throw new LostRace()
    await tables.users.update(user.id, { passwordHash, updatedAt: context.clock() })
    await endLogins(tables, user.id, login.id)
    await tables.userLinks.removeUnused(user.id)
    await record(user, { action: 'password.changed', before: null, after: { by: 'password' } })
  })
}
