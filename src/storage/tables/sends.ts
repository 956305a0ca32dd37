import { and, asc, eq, inArray, lt, type SQL, sql } from 'drizzle-orm'
import type { Recipient } from '../../domain/notification.ts'
import type { Sends } from '../port.ts'
import { notificationRecipients, notificationSends, notifications } from '../schema/index.ts'
import type { Db } from './db.ts'
import { first } from './results.ts'
import { lazy, param, putInto } from './statements.ts'

const pendingFor = (recipient: Recipient): SQL | undefined =>
  // Literal, because SQLite uses a partial index only for a query that repeats its condition.
  and(eq(notificationSends.recipient, recipient), sql`${notificationSends.status} = 'pending'`)

export function sendsTable(db: Db): Sends {
  const one = lazy(() =>
    db
      .select()
      .from(notificationRecipients)
      .where(eq(notificationRecipients.recipient, param('recipient')))
      .prepare(),
  )
  return {
    async listPending(recipient, limit) {
      const rows = await db
        .select({ notification: notifications })
        .from(notificationSends)
        .innerJoin(notifications, eq(notifications.id, notificationSends.notificationId))
        .where(pendingFor(recipient))
        .orderBy(asc(notificationSends.createdAt), asc(notificationSends.notificationId))
        .limit(limit)
      return rows.map(({ notification }) => notification)
    },
    async markSent(recipient, notificationIds, channel, at) {
      await db
        .update(notificationSends)
        .set({ status: 'sent', channel, sentAt: at })
        .where(and(pendingFor(recipient), inArray(notificationSends.notificationId, notificationIds)))
    },
    async giveUp(recipient, createdBefore) {
      const given = await db
        .update(notificationSends)
        .set({ status: 'given_up' })
        .where(and(pendingFor(recipient), lt(notificationSends.createdAt, createdBefore)))
        .returning({ id: notificationSends.notificationId })
      return given.length
    },
    findRecipient: async recipient => first(await one().execute({ recipient })),
    listRecipients: async () =>
      db.select().from(notificationRecipients).orderBy(asc(notificationRecipients.recipient)),
    putRecipient: putInto(db, notificationRecipients, notificationRecipients.recipient),
  }
}
