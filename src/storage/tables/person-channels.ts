import { and, asc, eq, exists, getTableColumns, isNull, or, type SQL, sql } from 'drizzle-orm'
import type { PersonChannels } from '../port.ts'
import {
  memberships,
  notificationRecipients,
  notificationSends,
  personChannels,
  users,
} from '../schema/index.ts'
import type { Db } from './db.ts'
import { first } from './results.ts'
import { insertInto, lazy, param } from './statements.ts'

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
  // Literal, because SQLite uses a partial index only for a query that repeats its condition.
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
