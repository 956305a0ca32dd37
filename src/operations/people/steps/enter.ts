import { Refusal } from '../../../domain/errors.ts'
import {
  HALF_LOGIN_MS,
  IDLE_MS,
  KNOWN_MS,
  LOGIN_MS,
  type Login,
  type SecondFactor,
  type User,
} from '../../../domain/user.ts'
import type { Tables } from '../../../storage/port.ts'
import { type AuditContext, recordAudit } from '../../audit/record.ts'
import type { Context } from '../../context.ts'
import { hashToken, newToken } from './link.ts'
import { type Browser, browserHash, isNewBrowser } from './new-browser.ts'
import { actingAs, merchantsOf } from './record-person.ts'

type EnterContext = AuditContext & Pick<Context, 'clock' | 'ids'>

function refuseSuspended({ suspendedAt }: User): void {
  if (suspendedAt === null) return
  const message = 'This account is suspended. Ask the operator of the server.'
  throw new Refusal('forbidden', message, { reason: { kind: 'suspended' } })
}

/** The token of the cookie that is set after a correct password. */
export interface LoginToken {
  token: string
  /** true for a half login: a code has to be entered too */
  needsCode: boolean
  /** the user, if they have not used this browser recently */
  newTo: User | null
}

const USER_AGENT_MAX = 200

/**
 * Stores a login and returns the token of its cookie. It shows the user's first merchant. The browser's
 * former login ends: its cookie is replaced, so that only a thief could still use it.
 */
export async function insertLogin(
  context: EnterContext,
  tables: Tables,
  user: User,
  { userAgent, names, address, token: browserToken, loginToken }: Browser,
): Promise<string> {
  refuseSuspended(user)
  const former = loginToken === null ? null : await tables.logins.find(hashToken(loginToken))
  if (former) await tables.logins.remove(former.userId, former.id)
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
    formKey: newToken(context),
  }
  await tables.logins.removeOld(now - LOGIN_MS, now - IDLE_MS)
  await tables.logins.insert(login)
  await tables.knownBrowsers.see(user.id, browserHash(browserToken), now, now - KNOWN_MS)
  const browser = [names.browser, names.system].filter(Boolean).join(', ') || null
  const entry = { action: 'login.started', subject: `user:${user.id}`, before: null } as const
  for (const merchantId of await merchantsOf(tables, user)) {
    const after = { browser, address }
    await recordAudit(actingAs(context, user), tables, { ...entry, merchantId, after })
  }
  return token
}

/** The confirmed second factor of a user; null if there is none. */
export async function secondFactorOf(tables: Tables, userId: string): Promise<SecondFactor | null> {
  const factor = await tables.secondFactors.find(userId)
  return factor && factor.confirmedAt !== null ? factor : null
}

/**
 * Signs a user in after a correct password: with a login, or a half login if the user has a second factor.
 */
export async function enter(
  context: EnterContext,
  tables: Tables,
  user: User,
  browser: Browser,
): Promise<LoginToken> {
  refuseSuspended(user)
  if (!(await secondFactorOf(tables, user.id))) {
    const newTo = (await isNewBrowser(context, tables, user, browser)) ? user : null
    return { token: await insertLogin(context, tables, user, browser), needsCode: false, newTo }
  }
  const now = context.clock()
  const token = newToken(context)
  await tables.halfLogins.removeOld(now)
  await tables.halfLogins.insert({ id: hashToken(token), userId: user.id, expiresAt: now + HALF_LOGIN_MS })
  return { token, needsCode: true, newTo: null }
}

/** Ends the logins of a user, including half logins, except one. */
export async function endLogins(tables: Tables, userId: string, keptId: string | null): Promise<void> {
  await tables.logins.removeOthers(userId, keptId)
  await tables.halfLogins.removeOfUser(userId)
}
