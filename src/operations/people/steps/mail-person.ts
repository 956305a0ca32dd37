import type { User } from '../../../domain/user.ts'
import type { Context } from '../../context.ts'
import type { PersonNews } from '../../letters.ts'
import { notifyOf } from '../../notices/notify.ts'
import type { Browser } from './new-browser.ts'

export type MailContext = Pick<Context, 'channels' | 'clock' | 'ids' | 'letters' | 'log'>

/**
 * Mails a person about their account, in the language of their dashboard, if the server sends mails. Runs in
 * the background.
 */
export function mailPerson(
  { channels, clock, ids, letters, log }: MailContext,
  { id, email, language }: Pick<User, 'id' | 'email' | 'language'>,
  news: PersonNews,
): void {
  const letter = letters.toPerson({ ...news, email, at: clock() }, language ?? 'en')
  channels.mail?.send({ id: ids.uuid(), ...letter, items: [], more: 0 }, { email }).then(
    fault => fault !== null && log.warn({ userId: id, reason: fault }, 'login.mail.failed'),
    error => log.warn({ userId: id, error: String(error) }, 'login.mail.failed'),
  )
}

/** Mails a person, and notifies the owners of their shops, about a sign-in in a new browser. */
export async function noteNewLogin(
  context: MailContext & Pick<Context, 'storage'>,
  user: User,
  { names, address }: Browser,
): Promise<void> {
  mailPerson(context, user, { kind: 'newLogin', browser: names, address })
  const browser = [names.browser, names.system].filter(Boolean).join(', ') || null
  const author = { by: `user:${user.id}`, person: user.email, client: address || null } as const
  await context.storage.write(async tables => {
    for (const { merchantId } of await tables.memberships.listOfUser(user.id))
      await notifyOf(context, tables, merchantId, { about: 'new_login', browser, ...author })
  })
}
