import { Refusal } from '../../../domain/errors.ts'
import type { User } from '../../../domain/user.ts'
import type { Tables } from '../../../storage/port.ts'

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
