import { invalid, Refusal } from '../../../domain/errors.ts'
import { type Role, roles } from '../../../domain/user.ts'
import type { Tables } from '../../../storage/port.ts'

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
