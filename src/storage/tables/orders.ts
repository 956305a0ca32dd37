import { and, desc, eq, lt, type SQL } from 'drizzle-orm'
import type { PageStart } from '../../domain/page.ts'
import type { OrderFilter, Orders, Sessions } from '../port.ts'
import { orders, sessions } from '../schema/index.ts'
import type { Db } from './db.ts'
import { olderThan } from './keyset.ts'
import { searchOrders } from './order-search.ts'
import { changed, first } from './results.ts'
import { insertInto, lazy, param } from './statements.ts'

const columns = { order: orders, session: sessions }

/**
 * Only the tighter of the two upper bounds: with both, SQLite chooses an index without the status, and reads
 * all orders with another status.
 */
function olderOrders({ createdTo }: OrderFilter, after: PageStart | null): SQL | undefined {
  if (createdTo === undefined || (after && after.at < createdTo)) {
    return olderThan(orders.createdAt, orders.id, after)
  }
  return lt(orders.createdAt, createdTo)
}

export function ordersTable(db: Db): Orders {
  const byId = lazy(() =>
    db
      .select(columns)
      .from(orders)
      .innerJoin(sessions, eq(sessions.orderId, orders.id))
      .where(eq(orders.id, param('id')))
      .prepare(),
  )
  return {
    find: async id => first(await byId().execute({ id })),
    async list(filter, limit, after) {
      const { merchantId, status, externalId, createdFrom = 0 } = filter
      const rows = await db
        .select(columns)
        .from(orders)
        .innerJoin(sessions, eq(sessions.orderId, orders.id))
        .where(
          and(
            eq(orders.merchantId, merchantId),
            status && eq(orders.status, status),
            externalId === undefined ? undefined : eq(orders.externalId, externalId),
            olderOrders(filter, after),
          ),
        )
        .orderBy(desc(orders.createdAt), desc(orders.id))
        .limit(limit)
      // Not in the query, for the same reason. Orders that are too old are at the end of the page.
      return rows.filter(({ order }) => order.createdAt >= createdFrom)
    },
    search: (search, limit) => searchOrders(db, search, limit),
    insert: insertInto(db, orders),
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
  insert: insertInto(db, sessions),
  move: async (orderId, from, to, at) =>
    changed(
      await db
        .update(sessions)
        .set({ status: to, updatedAt: at })
        .where(and(eq(sessions.orderId, orderId), eq(sessions.status, from)))
        .returning({ orderId: sessions.orderId }),
    ),
})
