import { Refusal } from '../../domain/errors.ts'
import type { Merchant } from '../../domain/merchant.ts'
import { isLive, type Login, type Role, type User } from '../../domain/user.ts'
import type { Tables } from '../../storage/port.ts'
import type { Context } from '../context.ts'
import { secondFactorOf } from './steps/enter.ts'
import { hashToken } from './steps/link.ts'

/** A request to the dashboard: the user, and the merchant that is shown. */
export interface Visit {
  user: User
  login: Login
  /** the merchant that is shown; null if the user has none */
  merchant: Merchant | null
  /** the user's role for the merchant; null without a merchant */
  role: Role | null
  /** true if the shop or the server requires a second factor, and the user has none yet */
  lacksSecondFactor: boolean
}

const SEEN_EVERY_MS = 60_000

async function roleIn(tables: Tables, user: User, merchantId: string): Promise<Role | null> {
  if (user.isOperator) return 'owner'
  return (await tables.memberships.find(user.id, merchantId))?.role ?? null
}

const needsSecondFactor = (
  { operatorSecondFactor }: Context['policy'],
  { isOperator }: User,
  merchant: Merchant | null,
): boolean => merchant?.secondFactor === 'required' || (isOperator && operatorSecondFactor === 'required')

async function merchantOf(tables: Tables, user: User, merchantId: string | null) {
  const role = merchantId === null ? null : await roleIn(tables, user, merchantId)
  const merchant = role === null || merchantId === null ? null : await tables.merchants.find(merchantId)
  return { merchant, role: merchant && role }
}

/** Finds the visit of a login's token. Returns null if nobody is signed in with it. */
export async function findVisit(
  { storage, clock, policy }: Pick<Context, 'storage' | 'clock' | 'policy'>,
  token: string,
): Promise<Visit | null> {
  const now = clock()
  const visit = await storage.read(async tables => {
    const login = await tables.logins.find(hashToken(token))
    if (!login || !isLive(login, now)) return null
    const user = await tables.users.find(login.userId)
    if (!user || user.suspendedAt !== null) return null
    const { merchant, role } = await merchantOf(tables, user, login.merchantId)
    const lacksSecondFactor =
      needsSecondFactor(policy, user, merchant) && !(await secondFactorOf(tables, user.id))
    return { user, login, merchant, role, lacksSecondFactor }
  })
  if (visit && now - visit.login.lastSeenAt >= SEEN_EVERY_MS) {
    await storage.write(tables => tables.logins.update(visit.login.id, { lastSeenAt: now }))
  }
  return visit
}

/** Remembers the language of a person's dashboard, for its pages and for messages to them. */
export const rememberLanguage = (
  { storage }: Pick<Context, 'storage'>,
  { user }: Visit,
  language: string,
): Promise<void> => storage.write(tables => tables.users.update(user.id, { language }))

export const listShops = ({ storage }: Pick<Context, 'storage'>, user: User): Promise<Merchant[]> =>
  storage.read(async tables => {
    if (user.isOperator) return tables.merchants.list()
    const shops: Merchant[] = []
    for (const { merchantId } of await tables.memberships.listOfUser(user.id)) {
      const merchant = await tables.merchants.find(merchantId)
      if (merchant) shops.push(merchant)
    }
    return shops
  })

/** Switches the dashboard to another merchant, in the browser that made the request. */
export const chooseShop = (
  { storage }: Pick<Context, 'storage'>,
  { user, login }: Visit,
  merchantId: string,
): Promise<void> =>
  storage.write(async tables => {
    if ((await roleIn(tables, user, merchantId)) === null || !(await tables.merchants.find(merchantId))) {
      throw new Refusal('not_found', 'No merchant has this ID.')
    }
    await tables.logins.update(login.id, { merchantId })
  })

export async function signOut({ storage }: Pick<Context, 'storage'>, { user, login }: Visit): Promise<void> {
  await storage.write(tables => tables.logins.remove(user.id, login.id))
}
