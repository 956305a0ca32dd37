import type { Actor } from '../../domain/audit.ts'
import type { Author } from '../../domain/notification-facts.ts'
import type { Tables } from '../../storage/port.ts'
import type { Context } from '../context.ts'

const USER = 'user:'

/** The ID of the person who made a change; null if an API key or a command made it. */
export const userIdOf = (actor: Actor): string | null =>
  actor.startsWith(USER) ? actor.slice(USER.length) : null

/** The author of a change, as notifications show it: who made it, and from where. */
export async function authorOf(
  { origin: { actor, client } }: Pick<Context, 'origin'>,
  tables: Tables,
): Promise<Author> {
  const id = userIdOf(actor)
  const user = id === null ? null : await tables.users.find(id)
  return user ? { by: actor, person: user.email, client } : { by: actor }
}
