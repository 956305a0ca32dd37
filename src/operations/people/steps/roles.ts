import { invalid, Refusal } from '../../../domain/errors.ts'
import { type Role, roles, type User } from '../../../domain/user.ts'
import type { Tables } from '../../../storage/port.ts'
import type { AuditContext } from '../../audit/record.ts'

export function checkRole(role: string): Role {
  const known = roles.find(one => one === role)
  if (known === undefined) throw invalid('role', `must be one of ${roles.join(', ')}`)
  return known
}

/** Without an owner, nobody of the shop could change it any more. */
export class LastOwner extends Refusal {
  constructor() {
    super('conflict', 'The shop needs an owner. Make somebody else an owner first.')
  }
}

/** Throws if the shop has no owner except this person. */
export async function keepAnOwner(tables: Tables, merchantId: string, userId: string): Promise<void> {
  const members = await tables.memberships.listOfMerchant(merchantId)
  if (!members.some(({ role, userId: id }) => role === 'owner' && id !== userId)) throw new LastOwner()
}

/**
 * The person's link would also open another shop or the whole server. An owner who got it could act there in
 * the person's name.
 */
export class SharedInvitation extends Refusal {
  constructor() {
    super('conflict', 'This person was invited elsewhere too. Ask the operator for a new link.')
  }
}

/** Throws if the person's link would let an owner do more than work for the shop. */
export async function refuseShared(
  tables: Tables,
  inviter: User,
  invited: User,
  merchantId: string,
): Promise<void> {
  if (inviter.isOperator || invited.passwordHash !== null) return
  const shops = await tables.memberships.listOfUser(invited.id)
  if (invited.isOperator || shops.some(shop => shop.merchantId !== merchantId)) throw new SharedInvitation()
}

/** Operators cannot do this to their own account: they would lock themselves out. */
export class OwnAccount extends Refusal {
  constructor() {
    super('conflict', 'This is your own account. Another operator can do this, or a command on the server.')
  }
}

export function refuseOwn({ origin }: Pick<AuditContext, 'origin'>, { id }: Pick<User, 'id'>): void {
  if (origin.actor === `user:${id}`) throw new OwnAccount()
}
