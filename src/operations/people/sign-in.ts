import { Refusal } from '../../domain/errors.ts'
import { emailKey } from '../../domain/merchant.ts'
import { PASSWORD_MAX } from '../../domain/user.ts'
import type { Context } from '../context.ts'
import { checkEmail } from '../merchants/create.ts'
import { readLink } from './links.ts'
import { checkPassword } from './steps/check-password.ts'
import { endLogins, enter, type LoginToken } from './steps/enter.ts'
import { findLink, readCode } from './steps/link.ts'
import { noteNewLogin } from './steps/mail-person.ts'
import type { Browser } from './steps/new-browser.ts'
import { actingAs, changePerson, type PersonContext } from './steps/record-person.ts'
import { type Entering, slowedDown } from './steps/slow-down.ts'

export type { LoginToken } from './steps/enter.ts'
export type { Browser } from './steps/new-browser.ts'

type SignInContext = PersonContext & Pick<Context, 'passwords' | 'policy' | 'realClock'>

/** The refusal of a wrong sign-in. It does not show if the address is known. */
const wrongSignIn = (): Refusal =>
  new Refusal('unauthorized', 'The email address or the password is wrong.', {
    reason: { kind: 'wrong_sign_in' },
  })

/**
 * Signs in with a password; a code may have to follow. Takes as long for an unknown address as for a wrong
 * password.
 */
export async function signIn(
  context: SignInContext,
  { email, password }: { email: string; password: string },
  browser: Browser,
): Promise<LoginToken> {
  const user = await context.storage.read(tables => tables.users.findByEmail(email))
  const entering: Entering = { secret: 'password', account: emailKey(email), user, browser }
  const entered = await slowedDown(context, entering, async isKnown => {
    const given = password.slice(0, PASSWORD_MAX + 1)
    const isRight = await context.passwords.verify(given, user?.passwordHash ?? null, isKnown)
    if (!user || !isRight) throw wrongSignIn()
    return context.storage.write(async tables => {
      const known = await tables.users.find(user.id)
      // The password was replaced while it was checked, which ended all logins.
      if (!known || known.passwordHash !== user.passwordHash) throw wrongSignIn()
      return enter(context, tables, known, browser)
    })
  })
  if (entered.newTo) await noteNewLogin(context, entered.newTo, browser)
  return entered
}

/**
 * Uses a link: creates the first user, sets a password, or just signs in. Returns the token of the login, or
 * of a half login, because a link does not replace the second factor.
 */
export async function redeemLink(
  context: SignInContext,
  token: string,
  given: { email: string; password: string },
  browser: Browser,
): Promise<LoginToken> {
  const { purpose, user: invited } = await context.storage.read(tables => findLink(context, tables, token))
  const email = invited?.email ?? checkEmail(given.email.trim())
  if (purpose !== 'enter') await checkPassword(context, given.password, email)
  const passwordHash = purpose === 'enter' ? null : await context.passwords.hash(given.password)
  const entered = await changePerson(context, async (tables, record) => {
    const link = await findLink(context, tables, token)
    const now = context.clock()
    await tables.userLinks.use(link.id, now)
    const user = link.user ?? {
      id: context.ids.uuid(),
      email,
      isOperator: true,
      passwordHash,
      language: null,
      suspendedAt: null,
      createdAt: now,
      updatedAt: now,
    }
    if (!link.user) await tables.users.insert(user)
    else if (passwordHash !== null) {
      await tables.users.update(user.id, { passwordHash, updatedAt: now })
      await endLogins(tables, user.id, null)
      await tables.userLinks.removeUnused(user.id)
    }
    if (link.user?.passwordHash && passwordHash !== null) {
      const change = { action: 'password.changed', before: null, after: { by: 'link' } } as const
      await record(user, change, actingAs(context, user))
    }
    return enter(context, tables, user, browser)
  })
  // A person who chooses their first password has never signed in, so a new browser is not reported.
  if (entered.newTo && invited?.passwordHash) await noteNewLogin(context, entered.newTo, browser)
  return entered
}

const wrongFirstCode = (): Refusal =>
  new Refusal('unauthorized', 'This is not the code of this server, or it has expired.', {
    reason: { kind: 'wrong_first_code' },
  })

/** True if a code creates the first user now. */
async function isFirstCode(context: SignInContext, code: string): Promise<boolean> {
  try {
    return (await readLink(context, code)).purpose === 'first'
  } catch (error) {
    if (error instanceof Refusal && error.code === 'not_found') return false
    throw error
  }
}

/**
 * Creates the first user with the code that the server printed. The link that contains the code does the
 * same.
 */
export async function redeemFirstCode(
  context: SignInContext,
  typed: string,
  given: { email: string; password: string },
  browser: Browser,
): Promise<LoginToken> {
  const entering: Entering = { secret: 'first', account: '', user: null, browser }
  const code = await slowedDown(context, entering, async () => {
    const read = readCode(typed)
    if (read === null || !(await isFirstCode(context, read))) throw wrongFirstCode()
    return read
  })
  try {
    return await redeemLink(context, code, given, browser)
  } catch (error) {
    // If another browser has just used the same code, the code counts as wrong.
    if (error instanceof Refusal && error.code === 'not_found') throw wrongFirstCode()
    throw error
  }
}
