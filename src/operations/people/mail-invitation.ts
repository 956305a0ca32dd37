import { mailboxOf } from '../../domain/buyer-mail.ts'
import type { Context } from '../context.ts'
import { requireQuotas } from '../notices/quota.ts'
import type { Visit } from './visit.ts'

type MailContext = Pick<Context, 'storage' | 'clock' | 'ids' | 'channels' | 'letters' | 'log' | 'policy'>

/** True if the links of invited people are mailed to them. */
export const areInvitationsMailed = ({ channels }: Pick<Context, 'channels'>): boolean =>
  channels.mail !== null

/**
 * True if a person sees the links of the people whom they invite. If links are mailed, opening one proves
 * that the address is one's own: an owner who saw the link could choose the password, and have mails sent to
 * a stranger. Operators see the links, because they could read the database anyway.
 */
export const seesInvitations = (
  { channels }: Pick<Context, 'channels'>,
  { user }: Pick<Visit, 'user'>,
): boolean => channels.mail === null || user.isOperator

/** Throws rate_limited if an address, or a shop, had too many invitations by mail. */
export const requireInvitation = (
  context: Pick<Context, 'storage' | 'clock'>,
  merchantId: string,
  email: string,
): Promise<void> =>
  context.storage.write(tables =>
    requireQuotas(context, tables, [
      ['invitationToMailbox', mailboxOf(email)],
      ['invitationOfShop', merchantId],
    ]),
  )

/** Mails the link of an invited person. Returns null, or why it could not be sent. */
export async function mailInvitation(
  context: MailContext,
  { user: inviter, merchant }: Pick<Visit, 'user' | 'merchant'>,
  { email, url }: { email: string; url: string },
): Promise<string | null> {
  const { channels, ids, letters, log } = context
  const language = inviter.language ?? merchant?.language ?? 'en'
  const letter = letters.invitation({ inviter: inviter.email, url }, language)
  const message = { id: ids.uuid(), ...letter, items: [], more: 0 }
  const fault = channels.mail ? await channels.mail.send(message, { email }) : 'no mail server is configured'
  if (fault !== null) log.warn({ inviter: inviter.id, reason: fault }, 'invitation.mail.failed')
  return fault
}
