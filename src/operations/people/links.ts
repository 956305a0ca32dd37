import type { LinkPurpose, User } from '../../domain/user.ts'
import type { Context } from '../context.ts'
import { findLink, insertLink } from './steps/link.ts'

type LinkContext = Pick<Context, 'storage' | 'clock' | 'ids'>

/** Purpose and user of a link. */
export interface OpenLink {
  purpose: LinkPurpose
  /** null for the first user, who does not exist yet */
  user: User | null
}

export const readLink = (context: LinkContext, token: string): Promise<OpenLink> =>
  context.storage.read(async tables => {
    const { purpose, user } = await findLink(context, tables, token)
    return { purpose, user }
  })

/**
 * Makes the token with which the first user of a server is created, by a link or by typing it as a code. It
 * replaces the former token. Returns null if there is a user already.
 */
export const createFirstLink = (context: LinkContext): Promise<string | null> =>
  context.storage.write(async tables => {
    if ((await tables.users.list()).length > 0) return null
    return insertLink(context, tables, 'first', null)
  })

/** Makes a link that signs a user in. For the demo. */
export const createEnterLink = (context: LinkContext, userId: string): Promise<string> =>
  context.storage.write(tables => insertLink(context, tables, 'enter', userId))
