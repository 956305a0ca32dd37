import {
  and,
  asc,
  desc,
  eq,
  exists,
  getTableColumns,
  inArray,
  isNull,
  lt,
  notInArray,
  or,
  type SQL,
  sql,
} from 'drizzle-orm'
import type { Notification, Recipient } from '../../domain/notification.ts'
import type { Jobs, Notifications, PersonChannels, Sends, SentNotification } from '../port.ts'
import {
  memberships,
  newNotifications,
  notificationRecipients,
  notificationSends,
  notifications,
  personChannels,
  users,
} from '../schema/index.ts'
import type { Db } from './db.ts'
import { first, insertInto, lazy, limitParam, param, putInto } from './statements.ts'

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
  const newestFirst = (condition: SQL | undefined, limit: number) =>
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
      const listed = and(eq(notifications.merchantId, merchantId), kinds)
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

const pendingFor = (recipient: Recipient): SQL | undefined =>
  // A literal, not a parameter: SQLite uses a partial index only if the query repeats its condition.
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

export function personChannelsTable(db: Db): PersonChannels {
  const insert = insertInto(db, personChannels)
  const list = (condition: SQL | undefined) => {
    const membership = db
      .select({ role: memberships.role })
      .from(memberships)
      .where(and(eq(memberships.userId, users.id), eq(memberships.merchantId, personChannels.merchantId)))
    return db
      .select({
        ...getTableColumns(personChannels),
        email: users.email,
        language: users.language,
        suspendedAt: users.suspendedAt,
      })
      .from(personChannels)
      .innerJoin(users, eq(users.id, personChannels.userId))
      .where(and(condition, or(eq(users.isOperator, true), exists(membership))))
      .orderBy(asc(personChannels.createdAt), asc(personChannels.id))
      .prepare()
  }
  const isOfMerchant = eq(personChannels.merchantId, param('merchantId'))
  const byId = lazy(() => list(eq(personChannels.id, param('id'))))
  const ofUser = lazy(() => list(and(eq(personChannels.userId, param('userId')), isOfMerchant)))
  // A literal, not a parameter: SQLite uses a partial index only if the query repeats its condition.
  const isVerified = sql`${personChannels.verifiedAt} IS NOT NULL`
  const ofMerchant = lazy(() => list(and(isOfMerchant, isVerified, isNull(users.suspendedAt))))
  return {
    find: async id => first(await byId().execute({ id })),
    listOfUser: async (userId, merchantId) => ofUser().execute({ userId, merchantId }),
    listOfMerchant: async merchantId => ofMerchant().execute({ merchantId }),
    insert,
    async update(id, change) {
      await db.update(personChannels).set(change).where(eq(personChannels.id, id))
    },
    async remove(id) {
      const recipient = `channel:${id}` as const
      await db
        .update(notificationSends)
        .set({ status: 'given_up' })
        .where(and(eq(notificationSends.recipient, recipient), sql`${notificationSends.status} = 'pending'`))
      await db.delete(notificationRecipients).where(eq(notificationRecipients.recipient, recipient))
      await db.delete(personChannels).where(eq(personChannels.id, id))
    },
  }
}
