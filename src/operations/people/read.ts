import { Refusal } from '../../domain/errors.ts'
import { emailKey } from '../../domain/merchant.ts'
import type { Membership, Role, User } from '../../domain/user.ts'
import type { Context } from '../context.ts'
import { secondFactorOf } from './steps/enter.ts'

/** True if anybody can sign in, or has been invited. */
export const hasUsers = ({ storage }: Pick<Context, 'storage'>): Promise<boolean> =>
  storage.read(async tables => (await tables.users.list()).length > 0)

/** All users with their roles, oldest first. */
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

/** A person as operators see them. */
interface ListedUser {
  user: User
  memberships: { merchantName: string; role: Role }[]
  hasSecondFactor: boolean
  passkeys: number
}

/** A page of the server's users whose address contains a text, oldest first. */
export const searchUsers = (
  { storage }: Pick<Context, 'storage'>,
  { text, start, size }: { text: string; start: number; size: number },
): Promise<{ users: ListedUser[]; total: number }> =>
  storage.read(async tables => {
    const all = await tables.users.list()
    const found = all.filter(({ email }) => emailKey(email).includes(emailKey(text)))
    const users: ListedUser[] = []
    for (const user of found.slice(start, start + size)) {
      const memberships: ListedUser['memberships'] = []
      for (const { merchantId, role } of await tables.memberships.listOfUser(user.id)) {
        const merchant = await tables.merchants.find(merchantId)
        memberships.push({ merchantName: merchant?.name ?? merchantId, role })
      }
      const hasSecondFactor = (await secondFactorOf(tables, user.id)) !== null
      const passkeys = (await tables.passkeys.listOfUser(user.id)).length
      users.push({ user, memberships, hasSecondFactor, passkeys })
    }
    return { users, total: found.length }
  })

export async function getEmail({ storage }: Pick<Context, 'storage'>, userId: string): Promise<string> {
  const user = await storage.read(tables => tables.users.find(userId))
  if (!user) throw new Refusal('not_found', 'No user has this ID.')
  return user.email
}
