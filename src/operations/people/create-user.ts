import { LostRace, Refusal } from '../../domain/errors.ts'
import type { Role, User } from '../../domain/user.ts'
import type { Tables } from '../../storage/port.ts'
import { recordAudit } from '../audit/record.ts'
import type { Context } from '../context.ts'
import { checkEmail } from '../merchants/create.ts'
import { endLogins } from './steps/enter.ts'
import { insertLink, newToken } from './steps/link.ts'
import { notePeople } from './steps/note-changes.ts'
import { changePerson, type PersonContext, type RecordPerson } from './steps/record-person.ts'
import { dropSecondFactor } from './steps/recovery.ts'
import { checkRole, keepAnOwner, refuseOwn } from './steps/roles.ts'

type PeopleContext = PersonContext & Pick<Context, 'passwords'>

interface NewUser {
  email: string
  /** null for an operator, who sees all merchants */
  merchantId: string | null
  /** role for the merchant; owner by default */
  role?: string | undefined
  /** lets a person who gains rights keep the password, second factor and passkeys of their account */
  keepPassword?: boolean | undefined
}

/** The user, and the token of the link with which they choose a password; null if they have a password. */
export interface Invitation {
  user: User
  token: string | null
  /** true if they had a password, which no longer works */
  wasReset: boolean
}

const isNowOperator = {
  action: 'user.operator' as const,
  before: { operator: false },
  after: { operator: true },
}

/** Finds the user of an address, or creates one without a password. `asOperator` makes them an operator. */
async function ensureUser(
  { clock, ids }: PersonContext,
  tables: Tables,
  record: RecordPerson,
  { email, asOperator }: { email: string; asOperator: boolean },
): Promise<User> {
  const now = clock()
  const known = await tables.users.findByEmail(email)
  if (!known) {
    const user: User = {
      id: ids.uuid(),
      email,
      isOperator: asOperator,
      passwordHash: null,
      language: null,
      suspendedAt: null,
      createdAt: now,
      updatedAt: now,
    }
    await tables.users.insert(user)
    if (asOperator) await record(user, isNowOperator)
    return user
  }
  if (!asOperator || known.isOperator) return known
  await tables.users.update(known.id, { isOperator: true, updatedAt: now })
  const user = { ...known, isOperator: true }
  await record(user, isNowOperator)
  return user
}

/** Gives a user a role for a merchant, or changes it. */
async function addMember(
  context: PersonContext,
  tables: Tables,
  user: User,
  merchantId: string,
  role: Role,
): Promise<void> {
  if (!(await tables.merchants.find(merchantId))) throw new Refusal('not_found', 'No merchant has this ID.')
  const before = await tables.memberships.find(user.id, merchantId)
  if (before?.role === 'owner' && role !== 'owner') await keepAnOwner(tables, merchantId, user.id)
  await tables.memberships.put({ userId: user.id, merchantId, role, createdAt: context.clock() })
  await recordAudit(context, tables, {
    merchantId,
    action: before ? 'user.changed' : 'user.added',
    subject: `user:${user.id}`,
    before: before && { role: before.role },
    after: { role, ...(!before && { email: user.email }) },
  })
  await notePeople(context, tables, merchantId, { email: user.email, before: before?.role ?? null, role })
}

/** True if the user would see something that they cannot see now: another merchant, or the whole server. */
async function gainsRights(tables: Tables, user: User, merchantId: string | null): Promise<boolean> {
  if (user.isOperator) return false
  return merchantId === null || (await tables.memberships.find(user.id, merchantId)) === null
}

/**
 * Creates a user, or adds an existing one to another merchant. Owners see the links of the people whom they
 * invite, so an owner may know the password of an existing account. When an account gains rights, its
 * password, second factor and passkeys end, unless `keepPassword` says that the account is known to belong to
 * the person.
 */
export async function createUser(context: PeopleContext, input: NewUser): Promise<Invitation> {
  const email = checkEmail(input.email)
  const role = checkRole(input.role ?? 'owner')
  const { merchantId, keepPassword = false } = input
  const found = await context.storage.read(tables => tables.users.findByEmail(email))
  const newHash = found?.passwordHash && !keepPassword ? await randomPasswordHash(context) : null
  return changePerson(context, async (tables, record) => {
    const known = await tables.users.findByEmail(email)
    const wasReset = !keepPassword && !!known?.passwordHash && (await gainsRights(tables, known, merchantId))
    if (known && wasReset) {
      // The account got a password after it was read above.
      if (newHash === null) throw new LostRace()
      await resetSignIn(context, tables, record, { user: known, passwordHash: newHash, secondFactor: true })
    }
    const user = await ensureUser(context, tables, record, { email, asOperator: merchantId === null })
    if (merchantId !== null) await addMember(context, tables, user, merchantId, role)
    const needsLink = wasReset || user.passwordHash === null
    const token = needsLink ? await insertLink(context, tables, 'password', user.id) : null
    return { user, token, wasReset }
  })
}

/**
 * The hash of a random password. Not null, because owners may renew the link of a person without a password.
 */
const randomPasswordHash = (context: Pick<Context, 'ids' | 'passwords'>): Promise<string> =>
  context.passwords.hash(newToken(context))

interface Reset {
  user: User
  /** replaces the hash of the password, which another person may know */
  passwordHash: string
  /** also drops the second factor and the passkeys */
  secondFactor: boolean
}

/** Ends the logins of a user, and makes their password useless. */
async function resetSignIn(
  { clock }: Pick<Context, 'clock'>,
  tables: Tables,
  record: RecordPerson,
  { user, passwordHash, secondFactor }: Reset,
): Promise<void> {
  await endLogins(tables, user.id, null)
  if (user.passwordHash !== null) await tables.users.update(user.id, { passwordHash, updatedAt: clock() })
  if (secondFactor) {
    await dropSecondFactor(record, tables, user)
    await dropPasskeys(record, tables, user)
  }
  await record(user, { action: 'user.reset', before: null, after: { secondFactor } })
}

/**
 * Ends the logins of a user and makes a link with which they choose a new password. The old password, which
 * another person may know, no longer works. Their second factor and passkeys stay unless they were lost.
 */
export async function resetUser(
  context: PeopleContext,
  email: string,
  { secondFactor }: { secondFactor: boolean },
): Promise<{ user: User; token: string }> {
  const passwordHash = await randomPasswordHash(context)
  return changePerson(context, async (tables, record) => {
    const user = await tables.users.findByEmail(email)
    if (!user) throw new Refusal('not_found', 'No user has this email address.')
    refuseOwn(context, user)
    await resetSignIn(context, tables, record, { user, passwordHash, secondFactor })
    return { user, token: await insertLink(context, tables, 'password', user.id) }
  })
}

async function dropPasskeys(record: RecordPerson, tables: Tables, user: User): Promise<void> {
  for (const { name } of await tables.passkeys.listOfUser(user.id)) {
    await record(user, { action: 'passkey.removed', before: { name }, after: null })
  }
  await tables.passkeys.removeOfUser(user.id)
}
