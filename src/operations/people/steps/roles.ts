import { invalid, Refusal } from '../../../domain/errors.ts'
import { type Role, roles, type User } from '../../../domain/user.ts'
import type { Tables } from '../../../storage/port.ts'
import type { AuditContext } from '../../audit/record.ts'

export function checkRole(role: string): Role {
  const known = roles.find(one => one === role)
  if (known === undefined) throw invalid('role', `must be one of ${roles.join(', ')}`)
  return known
}

/** Throws if this person is the only owner of the shop: nobody else could change the shop then. */
export async function keepAnOwner(tables: Tables, merchantId: string, userId: string): Promise<void> {
  const members = await tables.memberships.listOfMerchant(merchantId)
  if (members.some(({ role, userId: id }) => role === 'owner' && id !== userId)) return
  const message = 'The shop needs an owner. Make somebody else an owner first.'
  throw new Refusal('conflict', message, { reason: { kind: 'last_owner' } })
}

/**
 * Throws if the link of an invited person also opens another shop or the whole server: an owner who got the
 * link could act there in the person's name.
 */
export async function refuseShared(
  tables: Tables,
  inviter: User,
  invited: User,
  merchantId: string,
): Promise<void> {
  if (inviter.isOperator || invited.passwordHash !== null) return
  const shops = await tables.memberships.listOfUser(invited.id)
  if (!invited.isOperator && shops.every(shop => shop.merchantId === merchantId)) return
  const message = 'This person was invited elsewhere too. Ask the operator for a new link.'
  throw new Refusal('conflict', message, { reason: { kind: 'shared_invitation' } })
}

/** Refuses operators who would do this to their own account: they would lock themselves out. */
export function refuseOwn({ origin }: Pick<AuditContext, 'origin'>, { id }: Pick<User, 'id'>): void {
  if (origin.actor !== `user:${id}`) return
  const message = 'This is your own account. Another operator can do this, or a command on the server.'
  throw new Refusal('conflict', message, { reason: { kind: 'own_account' } })
}
