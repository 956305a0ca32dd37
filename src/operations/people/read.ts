import type { Membership, User } from '../../domain/user.ts'
import type { Context } from '../context.ts'

/** All users with what they may do, oldest first. */
export const listUsers = ({
  storage,
}: Pick<Context, 'storage'>): Promise<{ user: User; memberships: Membership[] }[]> =>
  storage.read(async tables => {
    const all = []
    for (const user of await tables.users.list()) {
      all.push({ user, memberships: await tables.memberships.listOfUser(user.id) })
    }
    return all
  })
