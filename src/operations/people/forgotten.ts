import { mailboxOf } from '../../domain/buyer-mail.ts'
import { invalid } from '../../domain/errors.ts'
import { isEmail } from '../../domain/merchant.ts'
import type { Context } from '../context.ts'
import { requireQuotas } from '../notices/quota.ts'
import { insertResetLink } from './steps/link.ts'
import type { MailContext } from './steps/mail-person.ts'

type ForgottenContext = MailContext & Pick<Context, 'storage' | 'policy'>

/**
 * Mails a link for choosing a new password to the person with this address. Nobody learns if there is such a
 * person: the limits count every address, and the person is looked up in the background. The password and the
 * logins end when the link is used. Returns false if the server sends no mails.
 */
export async function requestPasswordLink(context: ForgottenContext, email: string): Promise<boolean> {
  if (!isEmail(email)) throw invalid('email', 'must be an email address')
  if (context.channels.mail === null) return false
  await context.storage.write(tables =>
    requireQuotas(context, tables, [['passwordLinkToMailbox', mailboxOf(email)]]),
  )
  mailLink(context, email).catch(error =>
    context.log.warn({ reason: String(error) }, 'password_link.mail.failed'),
  )
  return true
}

async function mailLink(context: ForgottenContext, email: string): Promise<void> {
  const { channels, ids, letters, log, policy, storage } = context
  const made = await storage.write(async tables => {
    const user = await tables.users.findByEmail(email)
    if (!user || user.suspendedAt !== null) return null
    return { user, token: await insertResetLink(context, tables, user.id) }
  })
  if (made === null) return
  const { user, token } = made
  const url = `${policy.dashboardUrl}/dashboard/link/${token}`
  const letter = letters.passwordLink({ email: user.email, url }, user.language ?? 'en')
  const message = { id: ids.uuid(), ...letter, items: [], more: 0 }
  const fault = await channels.mail?.send(message, { email: user.email })
  if (fault) log.warn({ userId: user.id, reason: fault }, 'password_link.mail.failed')
}
