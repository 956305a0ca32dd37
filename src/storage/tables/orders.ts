import { and, asc, desc, eq } from 'drizzle-orm'
import type { Order } from '../../domain/order.ts'
import type { ProvisioningStatus } from '../../domain/session.ts'
import type { IdempotencyKeys, OrderNotes, Orders, SavedViews, Sessions } from '../port.ts'
import { idempotencyKeys as keys, orderNotes, orders, savedViews } from '../schema/index.ts'
import { browseOrders } from './browse-orders.ts'
import type { Db } from './db.ts'
import { orderLists } from './list-orders.ts'
import { matchOrders } from './match-orders.ts'
import { numberOfMerchant, orderWithSession } from './order-columns.ts'
import { searchOrders } from './order-search.ts'
import {
  changed,
  columnParams,
  conflictOn,
  first,
  insertInto,
  lazy,
  limitParam,
  moveOf,
  param,
  updateOf,
} from './statements.ts'

/** Max orders that `browse` examines, which takes about 20 ms. */
const EXAMINED_MAX = 50_000

export function ordersTable(db: Db): Orders {
  const insert = insertInto(db, orders, {
    merchantNumber: numberOfMerchant(param('merchantId')),
  })
  const byId = lazy(() =>
    db
      .select(orderWithSession)
      .from(orders)
      .where(eq(orders.id, param('id')))
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
    ...orderLists(db),
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

export function idempotencyTable(db: Db): IdempotencyKeys {
  const used = lazy(() =>
    db
      .select()
      .from(keys)
      .where(
        and(
          eq(keys.merchantId, param('merchantId')),
          eq(keys.operation, param('operation')),
          eq(keys.key, param('key')),
        ),
      )
      .prepare(),
  )
  const insertNew = lazy(() =>
    db
      .insert(keys)
      .values(columnParams(keys))
      .onConflictDoNothing({ target: conflictOn(keys.merchantId, keys.operation, keys.key) })
      .returning({ key: keys.key })
      .prepare(),
  )
  return {
    find: async (merchantId, operation, key) => first(await used().execute({ merchantId, operation, key })),
    insert: insertInto(db, keys),
    insertNew: async key => changed(await insertNew().execute({ ...key })),
  }
}

export const orderNotesTable = (db: Db): OrderNotes => ({
  insert: insertInto(db, orderNotes),
  listOf: async (orderId, limit) =>
    db
      .select()
      .from(orderNotes)
      .where(eq(orderNotes.orderId, orderId))
      .orderBy(desc(orderNotes.createdAt), desc(orderNotes.id))
      .limit(limit),
})

export const savedViewsTable = (db: Db): SavedViews => {
  const ofPerson = (userId: string, merchantId: string) =>
    and(eq(savedViews.userId, userId), eq(savedViews.merchantId, merchantId))
  return {
    list: async (userId, merchantId, page) =>
      db
        .select()
        .from(savedViews)
        .where(and(ofPerson(userId, merchantId), eq(savedViews.page, page)))
        .orderBy(asc(savedViews.name)),
    async put(view) {
      const { userId, merchantId, page, name } = savedViews
      await db
        .insert(savedViews)
        .values(view)
        .onConflictDoUpdate({
          target: conflictOn(userId, merchantId, page, name),
          set: { query: view.query },
        })
    },
    remove: async (userId, merchantId, id) =>
      changed(
        await db
          .delete(savedViews)
          .where(and(ofPerson(userId, merchantId), eq(savedViews.id, id)))
          .returning({ id: savedViews.id }),
      ),
    async removeAll(userId, merchantId) {
      await db.delete(savedViews).where(ofPerson(userId, merchantId))
    },
  }
}
