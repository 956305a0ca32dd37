import { createHash } from 'node:crypto'
import { Refusal } from '../../../domain/errors.ts'
import { LINK_MS, type LinkPurpose, RESET_LINK_MS, type User, type UserLink } from '../../../domain/user.ts'
import type { Tables } from '../../../storage/port.ts'
import type { Context } from '../../context.ts'

const TOKEN_BYTES = 32
const tokenPattern = /^[A-Za-z0-9_-]{43}$/

/** A code of 16 characters has 80 bits. No two of its letters and digits look alike, because it is typed. */
const CODE_LENGTH = 16
const CODE_ALPHABET = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'
const codePattern = new RegExp(`^[${CODE_ALPHABET}]{4}(-[${CODE_ALPHABET}]{4}){3}$`)

const inGroups = (characters: string): string => characters.match(/.{4}/g)?.join('-') ?? ''

/** The token of the link for the first user, such as 7K4Q-2M9X-8RTN-4WHP: short enough to be typed. */
const newCode = ({ ids }: Pick<Context, 'ids'>): string =>
  inGroups(Array.from(ids.random(CODE_LENGTH), byte => CODE_ALPHABET[byte % CODE_ALPHABET.length]).join(''))

/** Reads a typed code, in any case, with or without hyphens, or with O for 0. Null if it cannot be a code. */
export function readCode(typed: string): string | null {
  const characters = typed.toUpperCase().replaceAll(/[^0-9A-Z]/g, '')
  const code = inGroups(characters.replaceAll('O', '0').replaceAll(/[IL]/g, '1'))
  return codePattern.test(code) && characters.length === CODE_LENGTH ? code : null
}

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
  const token = purpose === 'first' ? newCode(context) : newToken(context)
  await tables.userLinks.removeUnused(userId)
  const expiresAt = context.clock() + LINK_MS
  await tables.userLinks.insert({ id: hashToken(token), purpose, userId, expiresAt, usedAt: null })
  return token
}

/**
 * Stores a link with which a user chooses a new password, and returns its token. Other links of the user stay
 * valid: a stranger, who may ask for this one, must not end an invitation.
 */
export async function insertResetLink(
  context: Pick<Context, 'clock' | 'ids'>,
  tables: Tables,
  userId: string,
): Promise<string> {
  const token = newToken(context)
  const now = context.clock()
  await tables.userLinks.removeUnused(userId, now)
  const expiresAt = now + RESET_LINK_MS
  await tables.userLinks.insert({
    id: hashToken(token),
    purpose: 'password',
    userId,
    expiresAt,
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
  const isToken = tokenPattern.test(token) || codePattern.test(token)
  const link = isToken ? await tables.userLinks.find(hashToken(token)) : null
  if (!link || link.usedAt !== null || link.expiresAt <= clock()) throw unusable()
  const user = link.userId === null ? null : await tables.users.find(link.userId)
  // The server already has a user, so a person who opens this link now is a stranger.
  if (link.purpose === 'first' && (await tables.users.list()).length > 0) throw unusable()
  return { ...link, user }
}
