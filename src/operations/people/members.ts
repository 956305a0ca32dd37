import { Refusal } from '../../domain/errors.ts'
import type { Role } from '../../domain/user.ts'
import type { Member, Tables } from '../../storage/port.ts'
import { type AuditContext, recordAudit } from '../audit/record.ts'
import type { Context } from '../context.ts'
import { insertLink } from './steps/link.ts'
import { notePeople } from './steps/note-changes.ts'
import { checkRole, keepAnOwner, refuseShared } from './steps/roles.ts'
import type { Visit } from './visit.ts'

type MemberContext = AuditContext & Pick<Context, 'storage'>

/** The people of a merchant, oldest first. */
export const listMembers = ({ storage }: Pick<Context, 'storage'>, merchantId: string): Promise<Member[]> =>
  storage.read(tables => tables.memberships.listOfMerchant(merchantId))

async function findMember(tables: Tables, merchantId: string, userId: string): Promise<Member> {
  const members = await tables.memberships.listOfMerchant(merchantId)
  const member = members.find(one => one.userId === userId)
  if (!member) throw new Refusal('not_found', 'No person of this merchant has this ID.')
  return member
}

export function changeRole(
  context: MemberContext,
  merchantId: string,
  userId: string,
  wanted: string,
): Promise<void> {
  const role: Role = checkRole(wanted)
  return context.storage.write(async tables => {
    const { role: before, createdAt, email } = await findMember(tables, merchantId, userId)
    if (role !== 'owner') await keepAnOwner(tables, merchantId, userId)
    await tables.memberships.put({ userId, merchantId, role, createdAt })
    await recordAudit(context, tables, {
      merchantId,
      action: 'user.changed',
      subject: `user:${userId}`,
      before: { role: before },
      after: { role },
    })
    await notePeople(context, tables, merchantId, { email, before, role })
  })
}

/**
 * Removes a person from a merchant, with their channels and views. They can still sign in for other
 * merchants.
 */
export const removeMember = (context: MemberContext, merchantId: string, userId: string): Promise<void> =>
  context.storage.write(async tables => {
    const { role, email } = await findMember(tables, merchantId, userId)
    await keepAnOwner(tables, merchantId, userId)
    // A person who is invited again starts without their former channels.
    for (const { id } of await tables.personChannels.listOfUser(userId, merchantId)) {
      await tables.personChannels.remove(id)
    }
    await tables.memberships.remove(userId, merchantId)
    await tables.savedViews.removeAll(userId, merchantId)
    await recordAudit(context, tables, {
      merchantId,
      action: 'user.removed',
      subject: `user:${userId}`,
      before: { role, email },
      after: null,
    })
    await notePeople(context, tables, merchantId, { email, before: role, role: null })
  })

/** Makes a new link for a person of the merchant who has not chosen a password yet. */
export const renewInvitation = (
  context: MemberContext,
  { user: inviter }: Pick<Visit, 'user'>,
  merchantId: string,
  userId: string,
): Promise<string> =>
  context.storage.write(async tables => {
    await findMember(tables, merchantId, userId)
    const user = await tables.users.find(userId)
    // A user with a password may work for other merchants too, so no owner can take over the account.
    if (!user || user.passwordHash !== null) {
      const message = 'This person already has a password. The operator can reset it.'
      throw new Refusal('conflict', message, { reason: { kind: 'has_password' } })
    }
    await refuseShared(tables, inviter, user, merchantId)
    return insertLink(context, tables, 'password', userId)
  })
