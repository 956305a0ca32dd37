import type { Context } from '../context.ts'

/** The email addresses of users by ID, without deleted users. */
export const emailsOfUsers = (
  { storage }: Pick<Context, 'storage'>,
  ids: readonly string[],
): Promise<ReadonlyMap<string, string>> =>
  storage.read(async tables => {
    const found = new Map<string, string>()
    for (const id of new Set(ids)) {
      const user = await tables.users.find(id)
      if (user) found.set(id, user.email)
    }
    return found
  })
