import { and, desc, eq, lt } from 'drizzle-orm'
import { type Order, unpaid } from '../../domain/order.ts'
import type { ProvisioningStatus } from '../../domain/session.ts'
import type { Orders, OrderWithSession, Sessions } from '../port.ts'
import { orders } from '../schema/index.ts'
import { browseOrders } from './browse-orders.ts'
import type { Db } from './db.ts'
import { olderThan, upperBound } from './keyset.ts'
import { matchOrders } from './match-orders.ts'
import { isExternalId, numberOfMerchant, orderWithSession } from './order-columns.ts'
import { searchOrders } from './order-search.ts'
import { first } from './results.ts'
import { byShape, insertUsual, lazy, limitParam, moveOf, param, updateOf } from './statements.ts'

/** Max orders that `browse` examines: about 20 ms. */
const EXAMINED_MAX = 50_000

export function ordersTable(db: Db): Orders {
  const withSessions = () => db.select(orderWithSession).from(orders)
  const insert = insertUsual(db, orders, unpaid, {
    merchantNumber: numberOfMerchant(param('merchantId')),
  })
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
          has('externalId') ? isExternalId(db, param('externalId')) : undefined,
          has('createdTo') ? lt(orders.createdAt, param('createdTo')) : undefined,
          has('at') ? olderThan(orders.createdAt, orders.id) : undefined,
        ),
      )
      .orderBy(desc(orders.createdAt), desc(orders.id))
      .limit(limitParam())
      .prepare(),
  )
  const amounts = lazy(() => {
    const { status, amount, currency, refundedAmount, createdAt } = orders
    return db
      .select({ status, amount, currency, refundedAmount, createdAt })
      .from(orders)
      .where(eq(orders.customerId, param('customerId')))
      .orderBy(desc(createdAt))
      .limit(limitParam())
      .prepare()
  })
  const update = updateOf<typeof orders, { id: string }>(db, orders, eq(orders.id, param('id')))
  const move = moveOf<typeof orders, Pick<Order, 'id' | 'status'>>(
    db,
    orders,
    and(eq(orders.id, param('id')), eq(orders.status, param('status'))),
  )
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
    browse: (query, limit, turn, examinedMax = EXAMINED_MAX) =>
      browseOrders(db, query, limit, turn, examinedMax),
    match: (merchantId, text) => matchOrders(db, merchantId, text),
    listAmounts: (customerId, limit) => amounts().execute({ customerId, limit }),
    insert: (order, { status, updatedAt }) =>
      insert({ ...order, sessionStatus: status, sessionUpdatedAt: updatedAt }),
    move: (id, status, change) => move({ id, status }, change),
    update: (id, change) => update({ id }, change),
  }
}

export function sessionsTable(db: Db): Sessions {
  const isFrom = and(eq(orders.id, param('id')), eq(orders.sessionStatus, param('from')))
  const move = moveOf<typeof orders, { id: string; from: ProvisioningStatus }>(db, orders, isFrom)
  return {
    move: (id, from, sessionStatus, sessionUpdatedAt, chosen) =>
      move({ id, from }, { sessionStatus, sessionUpdatedAt, ...chosen }),
  }
}
