import type { Actor } from '../../domain/audit.ts'
import type { Context } from '../context.ts'

/** The email addresses of the people among those who did something. */
export const emailsOf = (
  { storage }: Pick<Context, 'storage'>,
  actors: readonly Actor[],
): Promise<Map<Actor, string>> =>
  storage.read(async tables => {
    const emails = new Map<Actor, string>()
    for (const actor of new Set(actors)) {
      if (!actor.startsWith('user:')) continue
      const user = await tables.users.find(actor.slice('user:'.length))
      if (user) emails.set(actor, user.email)
    }
    return emails
  })
