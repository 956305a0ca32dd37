import { and, desc, eq, gte, lt, type SQL } from 'drizzle-orm'
import type { Db } from './db.ts'
import { olderThan } from './page.ts'
import type { OrderFilter, Orders, Sessions } from './port.ts'
import { given, inserting, once } from './prepared.ts'
import { changed, first } from './rows.ts'
import { orders, sessions } from './schema.ts'

const columns = { order: orders, session: sessions }

function matching(filter: OrderFilter): (SQL | undefined)[] {
  return [
    eq(orders.merchantId, filter.merchantId),
    filter.status && eq(orders.status, filter.status),
    filter.externalId === undefined ? undefined : eq(orders.externalId, filter.externalId),
    filter.createdFrom === undefined ? undefined : gte(orders.createdAt, filter.createdFrom),
    filter.createdTo === undefined ? undefined : lt(orders.createdAt, filter.createdTo),
  ]
}

export function ordersTable(db: Db): Orders {
  const byId = once(() =>
    db
      .select(columns)
      .from(orders)
      .innerJoin(sessions, eq(sessions.orderId, orders.id))
      .where(eq(orders.id, given('id')))
      .prepare(),
  )
  return {
    find: async id => first(await byId().execute({ id })),
    list: async (filter, limit, after) =>
      db
        .select(columns)
        .from(orders)
        .innerJoin(sessions, eq(sessions.orderId, orders.id))
        .where(and(...matching(filter), olderThan(orders.createdAt, orders.id, after)))
        .orderBy(desc(orders.createdAt), desc(orders.id))
        .limit(limit),
    insert: inserting(db, orders),
    move: async (id, from, change) =>
      changed(
        await db
          .update(orders)
          .set(change)
          .where(and(eq(orders.id, id), eq(orders.status, from)))
          .returning({ id: orders.id }),
      ),
    async update(id, change) {
      await db.update(orders).set(change).where(eq(orders.id, id))
    },
  }
}

export const sessionsTable = (db: Db): Sessions => ({
  insert: inserting(db, sessions),
  move: async (orderId, from, to, at) =>
    changed(
      await db
        .update(sessions)
        .set({ status: to, updatedAt: at })
        .where(and(eq(sessions.orderId, orderId), eq(sessions.status, from)))
        .returning({ orderId: sessions.orderId }),
    ),
})
