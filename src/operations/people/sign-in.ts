import { Refusal } from '../../domain/errors.ts'
import { IDLE_MS, LOGIN_MS, type Login, PASSWORD_MAX, type User } from '../../domain/user.ts'
import type { Tables } from '../../storage/port.ts'
import type { Context } from '../context.ts'
import { checkEmail } from '../merchants/create.ts'
import { findLink, hashToken, newToken } from './steps/link.ts'
import { checkPassword } from './steps/password.ts'

type SignInContext = Pick<Context, 'storage' | 'clock' | 'ids' | 'passwords'>

/** The browser in which somebody signs in. */
export interface Browser {
  userAgent: string
  address: string
}

const USER_AGENT_MAX = 200

/** Stores a login and returns the token of its cookie. The first merchant of the user is shown. */
async function insertLogin(
  context: Pick<Context, 'clock' | 'ids'>,
  tables: Tables,
  user: User,
  { userAgent, address }: Browser,
): Promise<string> {
  const now = context.clock()
  const token = newToken(context)
  const [membership] = await tables.memberships.listOfUser(user.id)
  const [first] = user.isOperator && !membership ? await tables.merchants.list() : []
  const login: Login = {
    id: hashToken(token),
    userId: user.id,
    merchantId: membership?.merchantId ?? first?.id ?? null,
    authenticatedAt: now,
    userAgent: userAgent.slice(0, USER_AGENT_MAX),
    address,
    createdAt: now,
    lastSeenAt: now,
  }
  await tables.logins.removeOld(now - LOGIN_MS, now - IDLE_MS)
  await tables.logins.insert(login)
  return token
}

const wrong = () => new Refusal('unauthorized', 'The email address or the password is wrong.')

/** Signs in with a password. Takes as long for an unknown address as for a wrong password. */
export async function signIn(
  context: SignInContext,
  { email, password }: { email: string; password: string },
  browser: Browser,
): Promise<string> {
  const user = await context.storage.read(tables => tables.users.findByEmail(email))
  const isRight = await context.passwords.verify(
    password.slice(0, PASSWORD_MAX + 1),
    user?.passwordHash ?? null,
  )
  if (!user || !isRight) throw wrong()
  return context.storage.write(tables => insertLogin(context, tables, user, browser))
}

/**
 * Uses a link: creates the first user, sets a password, or just signs in. Returns the token of the login that
 * follows.
 */
export async function redeemLink(
  context: SignInContext,
  token: string,
  given: { email: string; password: string },
  browser: Browser,
): Promise<string> {
  const { purpose, user: invited } = await context.storage.read(tables => findLink(context, tables, token))
  const email = invited?.email ?? checkEmail(given.email.trim())
  if (purpose !== 'enter') checkPassword(given.password, email)
  const passwordHash = purpose === 'enter' ? null : await context.passwords.hash(given.password)
  return context.storage.write(async tables => {
    const link = await findLink(context, tables, token)
    const now = context.clock()
    await tables.userLinks.use(link.id, now)
    const user = link.user ?? {
      id: context.ids.uuid(),
      email,
      isOperator: true,
      passwordHash,
      createdAt: now,
      updatedAt: now,
    }
    if (!link.user) await tables.users.insert(user)
    else if (passwordHash !== null) {
      await tables.users.update(user.id, { passwordHash, updatedAt: now })
      await tables.logins.removeOthers(user.id, null)
    }
    return insertLogin(context, tables, user, browser)
  })
}
