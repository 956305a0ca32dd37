import { and, desc, eq, lt } from 'drizzle-orm'
import type { Orders, OrderWithSession, Sessions } from '../port.ts'
import { orders } from '../schema/index.ts'
import type { Db } from './db.ts'
import { olderThan, upperBound } from './keyset.ts'
import { numberOfMerchant, orderWithSession } from './order-columns.ts'
import { searchOrders } from './order-search.ts'
import { changed, first } from './results.ts'
import { byShape, insertInto, lazy, limitParam, param, updateOf } from './statements.ts'

export function ordersTable(db: Db): Orders {
  const withSessions = () => db.select(orderWithSession).from(orders)
  const insert = insertInto(db, orders, { merchantNumber: numberOfMerchant(param('merchantId')) })
  const byId = lazy(() =>
    withSessions()
      .where(eq(orders.id, param('id')))
      .prepare(),
  )
  const listed = byShape<Record<string, unknown>, Promise<OrderWithSession[]>>(has =>
    withSessions()
      .where(
        and(
          eq(orders.merchantNumber, numberOfMerchant(param('merchantId'))),
          has('status') ? eq(orders.status, param('status')) : undefined,
          has('externalId') ? eq(orders.externalId, param('externalId')) : undefined,
          has('createdTo') ? lt(orders.createdAt, param('createdTo')) : undefined,
          has('at') ? olderThan(orders.createdAt, orders.id) : undefined,
        ),
      )
      .orderBy(desc(orders.createdAt), desc(orders.id))
      .limit(limitParam())
      .prepare(),
  )
  const update = updateOf<typeof orders, { id: string }>(db, orders, eq(orders.id, param('id')))
  return {
    find: async id => first(await byId().execute({ id })),
    async list(filter, limit, after) {
      const { merchantId, status, externalId, createdTo, createdFrom = 0 } = filter
      const bound = upperBound(createdTo, after)
      const rows = await listed({ merchantId, status, externalId, limit, ...bound })
      // Not in the query, for the same reason. Orders that are too old are at the end of the page.
      return rows.filter(({ order }) => order.createdAt >= createdFrom)
    },
    search: (search, limit) => searchOrders(db, search, limit),
    insert: (order, { status, updatedAt }) =>
      insert({ ...order, sessionStatus: status, sessionUpdatedAt: updatedAt }),
    move: async (id, from, change) =>
      changed(
        await db
          .update(orders)
          .set(change)
          .where(and(eq(orders.id, id), eq(orders.status, from)))
          .returning({ id: orders.id }),
      ),
    update: (id, change) => update({ id }, change),
  }
}

export const sessionsTable = (db: Db): Sessions => ({
  move: async (orderId, from, to, at) =>
    changed(
      await db
        .update(orders)
        .set({ sessionStatus: to, sessionUpdatedAt: at })
        .where(and(eq(orders.id, orderId), eq(orders.sessionStatus, from)))
        .returning({ id: orders.id }),
    ),
})
