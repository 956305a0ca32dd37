import { createHash } from 'node:crypto'
import { Refusal } from '../../../domain/errors.ts'
import { LINK_MS, type LinkPurpose, type User, type UserLink } from '../../../domain/user.ts'
import type { Tables } from '../../../storage/port.ts'
import type { Context } from '../../context.ts'

const TOKEN_BYTES = 32
const tokenPattern = /^[A-Za-z0-9_-]{43}$/

/** Tokens of links and logins. Only their hashes are stored. */
export const newToken = ({ ids }: Pick<Context, 'ids'>): string =>
  Buffer.from(ids.random(TOKEN_BYTES)).toString('base64url')

export const hashToken = (token: string): string => createHash('sha256').update(token).digest('hex')

/** Stores a link that works once and returns its token. It replaces the unused links of the same user. */
export async function insertLink(
  context: Pick<Context, 'clock' | 'ids'>,
  tables: Tables,
  purpose: LinkPurpose,
  userId: string | null,
): Promise<string> {
  const token = newToken(context)
  await tables.userLinks.removeUnused(userId)
  await tables.userLinks.insert({
    id: hashToken(token),
    purpose,
    userId,
    expiresAt: context.clock() + LINK_MS,
    usedAt: null,
  })
  return token
}

const unusable = () =>
  new Refusal('not_found', 'This link was used already, or has expired. Ask for a new one.')

/** Finds a link that can still be used. */
export async function findLink(
  { clock }: Pick<Context, 'clock'>,
  tables: Tables,
  token: string,
): Promise<UserLink & { user: User | null }> {
  const link = tokenPattern.test(token) ? await tables.userLinks.find(hashToken(token)) : null
  if (!link || link.usedAt !== null || link.expiresAt <= clock()) throw unusable()
  const user = link.userId === null ? null : await tables.users.find(link.userId)
  // The server already has a user: another first one would be a stranger.
  if (link.purpose === 'first' && (await tables.users.list()).length > 0) throw unusable()
  return { ...link, user }
}
