import type { User } from '../../../domain/user.ts'
import type { Context } from '../../context.ts'
import type { PersonNews } from '../../letters.ts'
import { userIdOf } from '../../notices/author.ts'
import { type MailContext, mailPerson } from '../../people/steps/mail-person.ts'

type News = Extract<PersonNews, { kind: 'serverChanged' }>['what']

/**
 * Mails the other operators what one of them did, and to whom, if the server sends mails. They are notified
 * because a thief who is signed in as an operator would do the same.
 */
export async function notifyOperators(
  context: MailContext & Pick<Context, 'storage' | 'origin'>,
  what: News,
  person: Pick<User, 'id' | 'email'> | null = null,
): Promise<void> {
  const { actor, client } = context.origin
  const authorId = userIdOf(actor)
  const users = await context.storage.read(tables => tables.users.list())
  const by = users.find(({ id }) => id === authorId)?.email ?? 'florin'
  const known = [authorId, person?.id]
  const others = users.filter(
    ({ id, isOperator, suspendedAt }) => isOperator && suspendedAt === null && !known.includes(id),
  )
  const news = {
    kind: 'serverChanged',
    what,
    by,
    address: client ?? '',
    person: person?.email ?? '',
  } as const
  for (const other of others) mailPerson(context, other, news)
}
