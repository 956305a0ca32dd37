import { and, asc, desc, eq, inArray, notInArray, type SQL } from 'drizzle-orm'
import type { Notification } from '../../domain/notification.ts'
import type { Jobs, Notifications, SentNotification } from '../port.ts'
import { newNotifications, notificationSends, notifications } from '../schema/index.ts'
import type { Db } from './db.ts'
import { insertInto, lazy, limitParam, param } from './statements.ts'

async function withChannels(db: Db, rows: Notification[]): Promise<SentNotification[]> {
  if (rows.length === 0) return []
  const ids = rows.map(({ id }) => id)
  const sends = await db
    .select({ id: notificationSends.notificationId, channel: notificationSends.channel })
    .from(notificationSends)
    .where(and(inArray(notificationSends.notificationId, ids), eq(notificationSends.status, 'sent')))
    .orderBy(asc(notificationSends.channel))
  const byId = Map.groupBy(sends, ({ id }) => id)
  return rows.map(row => ({
    ...row,
    sentTo: (byId.get(row.id) ?? []).flatMap(({ channel }) => channel ?? []),
  }))
}

export function notificationsTable(db: Db, jobs: Pick<Jobs, 'schedule'>): Notifications {
  const insert = insertInto(db, notifications)
  const insertNew = insertInto(db, newNotifications)
  const insertSend = insertInto(db, notificationSends)
  const newestFirst = (condition: SQL, limit: number) =>
    db
      .select()
      .from(notifications)
      .where(condition)
      .orderBy(desc(notifications.createdAt), desc(notifications.id))
      .limit(limit)
  const oldestNew = lazy(() =>
    db
      .select({ notification: notifications })
      .from(newNotifications)
      .innerJoin(notifications, eq(notifications.id, newNotifications.notificationId))
      .orderBy(asc(newNotifications.notificationId))
      .limit(limitParam())
      .prepare(),
  )
  const byId = lazy(() =>
    db
      .select()
      .from(notifications)
      .where(eq(notifications.id, param('id')))
      .prepare(),
  )
  const removalOfNew = lazy(() =>
    db
      .delete(newNotifications)
      .where(eq(newNotifications.notificationId, param('id')))
      .prepare(),
  )
  return {
    async insert(notification) {
      await insert(notification)
      await insertNew({ notificationId: notification.id })
      const dueAt = notification.createdAt
      await jobs.schedule({ kind: 'notification.address', subject: 'new', lane: 'notify', dueAt })
    },
    async list(merchantId, limit, without = []) {
      const kinds = without.length > 0 ? notInArray(notifications.kind, [...without]) : undefined
      const listed = and(eq(notifications.merchantId, merchantId), kinds)!
      return withChannels(db, await newestFirst(listed, limit))
    },
    listOfOrder: async (orderId, limit) =>
      withChannels(db, await newestFirst(eq(notifications.orderId, orderId), limit)),
    async listNew(limit) {
      const rows = await oldestNew().execute({ limit })
      return rows.map(({ notification }) => notification)
    },
    async address(notificationId, recipients) {
      const found = await byId().execute({ id: notificationId })
      await removalOfNew().execute({ id: notificationId })
      for (const { createdAt } of found) {
        for (const recipient of recipients) {
          await insertSend({
            notificationId,
            recipient,
            status: 'pending',
            channel: null,
            sentAt: null,
            createdAt,
          })
        }
      }
    },
  }
}
