import { Refusal } from '../../domain/errors.ts'
import type { Role, User } from '../../domain/user.ts'
import type { Tables } from '../../storage/port.ts'
import { type AuditContext, recordAudit } from '../audit/record.ts'
import type { Context } from '../context.ts'
import { checkEmail } from '../merchants/create.ts'
import { endLogins } from './steps/enter.ts'
import { insertLink, newToken } from './steps/link.ts'
import { recordPerson } from './steps/record-person.ts'
import { dropSecondFactor } from './steps/recovery.ts'
import { checkRole, keepAnOwner, refuseOwn } from './steps/roles.ts'

type PeopleContext = AuditContext & Pick<Context, 'storage'>

interface NewUser {
  email: string
  /** null for an operator, who sees all merchants */
  merchantId: string | null
  /** role for the merchant; owner by default */
  role?: string | undefined
}

/** The user, and the token of the link with which they choose a password; null if they have one. */
export interface Invitation {
  user: User
  token: string | null
}

const recordOperator = (context: PeopleContext, tables: Tables, user: User): Promise<void> =>
  recordPerson(context, tables, user, {
    action: 'user.operator',
    before: { operator: false },
    after: { operator: true },
  })

/** Finds the user of an address, or creates one without a password. `asOperator` makes them an operator. */
async function ensureUser(
  context: PeopleContext,
  tables: Tables,
  email: string,
  asOperator: boolean,
): Promise<User> {
  const now = context.clock()
  const known = await tables.users.findByEmail(email)
  if (!known) {
    const user: User = {
      id: context.ids.uuid(),
      email,
      isOperator: asOperator,
      passwordHash: null,
      language: null,
      suspendedAt: null,
      createdAt: now,
      updatedAt: now,
    }
    await tables.users.insert(user)
    if (asOperator) await recordOperator(context, tables, user)
    return user
  }
  if (!asOperator || known.isOperator) return known
  await tables.users.update(known.id, { isOperator: true, updatedAt: now })
  const user = { ...known, isOperator: true }
  await recordOperator(context, tables, user)
  return user
}

/** Gives a user a role for a merchant, or changes it. */
async function addMember(
  context: PeopleContext,
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
}

/** Creates a user, or adds an existing one to another merchant. */
export function createUser(context: PeopleContext, input: NewUser): Promise<Invitation> {
  const email = checkEmail(input.email)
  const role = checkRole(input.role ?? 'owner')
  const { merchantId } = input
  return context.storage.write(async tables => {
    const user = await ensureUser(context, tables, email, merchantId === null)
    if (merchantId !== null) await addMember(context, tables, user, merchantId, role)
    const isNew = user.passwordHash === null
    return { user, token: isNew ? await insertLink(context, tables, 'password', user.id) : null }
  })
}

/**
 * Ends the logins of a user and makes a link with which they choose a new password. The old one, which
 * somebody else may know, no longer works. Their second factor and passkeys stay unless they were lost.
 */
export async function resetUser(
  context: PeopleContext & Pick<Context, 'passwords'>,
  email: string,
  { secondFactor }: { secondFactor: boolean },
): Promise<{ user: User; token: string }> {
  // A random password instead of null: owners may renew the link of a person without a password.
  const passwordHash = await context.passwords.hash(newToken(context))
  return context.storage.write(async tables => {
    const user = await tables.users.findByEmail(email)
    if (!user) throw new Refusal('not_found', 'No user has this email address.')
    refuseOwn(context, user)
    await endLogins(tables, user.id, null)
    if (user.passwordHash !== null) {
      await tables.users.update(user.id, { passwordHash, updatedAt: context.clock() })
    }
    if (secondFactor) {
      await dropSecondFactor(context, tables, user)
      await dropPasskeys(context, tables, user)
    }
    const change = { action: 'user.reset', before: null, after: { secondFactor } } as const
    await recordPerson(context, tables, user, change)
    return { user, token: await insertLink(context, tables, 'password', user.id) }
  })
}

async function dropPasskeys(context: AuditContext, tables: Tables, user: User): Promise<void> {
  for (const { name } of await tables.passkeys.listOfUser(user.id)) {
    await recordPerson(context, tables, user, { action: 'passkey.removed', before: { name }, after: null })
  }
  await tables.passkeys.removeOfUser(user.id)
}
