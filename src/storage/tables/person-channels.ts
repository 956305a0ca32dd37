import { and, asc, eq, exists, getTableColumns, isNull, or, type SQL, sql } from 'drizzle-orm'
import type { ChannelWithEmail, PersonChannels } from '../port.ts'
import {
  memberships,
  notificationRecipients,
  notificationSends,
  personChannels,
  users,
} from '../schema/index.ts'
import type { Db } from './db.ts'
import { first } from './results.ts'
import { insertInto } from './statements.ts'

export function personChannelsTable(db: Db): PersonChannels {
  const insert = insertInto(db, personChannels)
  const list = async (condition: SQL | undefined): Promise<ChannelWithEmail[]> => {
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
  }
  return {
    find: async id => first(await list(eq(personChannels.id, id))),
    listOfUser: (userId, merchantId) =>
      list(and(eq(personChannels.userId, userId), eq(personChannels.merchantId, merchantId))),
    listOfMerchant: merchantId =>
      // The partial index serves only a query that repeats its condition literally.
      list(
        and(
          eq(personChannels.merchantId, merchantId),
          sql`${personChannels.verifiedAt} IS NOT NULL`,
          isNull(users.suspendedAt),
        ),
      ),
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
