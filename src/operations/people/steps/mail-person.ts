import type { User } from '../../../domain/user.ts'
import type { Context } from '../../context.ts'
import type { PersonNews } from '../../letters.ts'
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

export const mailNewLogin = (context: MailContext, user: User, { names, address }: Browser): void =>
  mailPerson(context, user, { kind: 'newLogin', browser: names, address })
