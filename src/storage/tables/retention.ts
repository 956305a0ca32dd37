import {
  and,
  asc,
  eq,
  exists,
  gte,
  inArray,
  isNotNull,
  isNull,
  lt,
  ne,
  notExists,
  or,
  sql,
} from 'drizzle-orm'
import { assert } from '../../domain/errors.ts'
import type { PageStart } from '../../domain/page.ts'
import { isTestShop } from '../../domain/test-shop.ts'
import type { RetentionTable } from '../port.ts'
import {
  attempts,
  buyerMails,
  customers,
  deliveries,
  elsewhere,
  events,
  furtherDeliveries,
  idempotencyKeys,
  incomingPayments,
  jobs,
  newNotifications,
  notificationSends,
  notifications,
  orderNotes,
  orders,
  paymentMails,
  retentionProgress,
  transactions,
  unmatchedPayments,
} from '../schema/index.ts'
import type { Db } from './db.ts'
import { byShape, first, lazy, limitParam, param, putInto } from './statements.ts'
import { deletePaidParts, listTestOrders } from './test-data.ts'

// A literal, not a parameter: SQLite uses partial indexes only if the query repeats their condition.
const isExpiredWebOrder = sql`${orders.source} = 'web' AND ${orders.status} = 'EXPIRED'`
const hasTries = sql`${deliveries.status} = 'delivered' AND ${deliveries.tries} <> '[]'`
const hasFurtherTries = sql`${furtherDeliveries.status} = 'delivered' AND ${furtherDeliveries.tries} <> '[]'`

const isAfter = sql`(${orders.expiresAt}, ${orders.id}) > (${param('at')}, ${param('id')})`

type OfOrder = typeof incomingPayments | typeof unmatchedPayments | typeof transactions | typeof orderNotes

/** Returns those of the orders on which nothing depends. */
async function deletable(db: Db, orderIds: string[], before: number) {
  const ofOrder = (table: OfOrder) =>
    db.select({ id: table.id }).from(table).where(eq(table.orderId, orders.id))
  const openJob = db
    .select({ subject: jobs.subject })
    .from(jobs)
    .where(and(eq(jobs.kind, 'attempt.check'), eq(jobs.subject, attempts.id)))
  const neededAttempt = db
    .select({ id: attempts.id })
    .from(attempts)
    .where(
      and(
        eq(attempts.orderId, orders.id),
        or(isNotNull(attempts.provider), gte(attempts.watchUntil, before), exists(openJob)),
      ),
    )
  const undelivered = db
    .select({ id: events.id })
    .from(events)
    .innerJoin(deliveries, eq(deliveries.eventId, events.id))
    .where(and(eq(events.orderId, orders.id), ne(deliveries.status, 'delivered')))
  const undeliveredFurther = db
    .select({ id: events.id })
    .from(events)
    .innerJoin(furtherDeliveries, eq(furtherDeliveries.eventId, events.id))
    .where(and(eq(events.orderId, orders.id), ne(furtherDeliveries.status, 'delivered')))
  return db
    .select({
      id: orders.id,
      customerId: orders.customerId,
      merchantId: orders.merchantId,
      currency: orders.currency,
      createdAt: orders.createdAt,
    })
    .from(orders)
    .where(
      and(
        inArray(orders.id, orderIds),
        isExpiredWebOrder,
        notExists(ofOrder(incomingPayments)),
        notExists(ofOrder(orderNotes)),
        notExists(ofOrder(unmatchedPayments)),
        notExists(ofOrder(transactions)),
        notExists(neededAttempt),
        notExists(undelivered),
        notExists(undeliveredFurther),
      ),
    )
}

async function deleteOrders(db: Db, orderIds: string[]): Promise<void> {
  const ownEvents = db.select({ id: events.id }).from(events).where(inArray(events.orderId, orderIds))
  await db.delete(deliveries).where(inArray(deliveries.eventId, ownEvents))
  await db.delete(furtherDeliveries).where(inArray(furtherDeliveries.eventId, ownEvents))
  await db.delete(events).where(inArray(events.orderId, orderIds))
  const ownNotifications = db
    .select({ id: notifications.id })
    .from(notifications)
    .where(inArray(notifications.orderId, orderIds))
  await db.delete(newNotifications).where(inArray(newNotifications.notificationId, ownNotifications))
  await db.delete(notificationSends).where(inArray(notificationSends.notificationId, ownNotifications))
  await db.delete(notifications).where(inArray(notifications.orderId, orderIds))
  await db.delete(buyerMails).where(inArray(buyerMails.orderId, orderIds))
  await db.delete(paymentMails).where(inArray(paymentMails.orderId, orderIds))
  const ownAttempts = db.select({ id: attempts.id }).from(attempts).where(inArray(attempts.orderId, orderIds))
  await db.delete(elsewhere).where(inArray(elsewhere.attemptId, ownAttempts))
  await db.delete(attempts).where(inArray(attempts.orderId, orderIds))
  await db.delete(orders).where(inArray(orders.id, orderIds))
}

async function deleteUnusedCustomers(db: Db, customerIds: string[]): Promise<void> {
  const order = db.select({ id: orders.id }).from(orders).where(eq(orders.customerId, customers.id))
  await db
    .delete(customers)
    .where(and(inArray(customers.id, customerIds), isNull(customers.blockedAt), notExists(order)))
}

const oldKeys = (db: Db) =>
  db
    .select({ merchantId: idempotencyKeys.merchantId, key: idempotencyKeys.key })
    .from(idempotencyKeys)
    .where(
      and(eq(idempotencyKeys.operation, param('operation')), lt(idempotencyKeys.createdAt, param('before'))),
    )
    .limit(limitParam())
    .prepare()

const oldDeliveries = (db: Db) =>
  db
    .select({ eventId: deliveries.eventId })
    .from(deliveries)
    .where(and(hasTries, lt(deliveries.updatedAt, param('before'))))
    .limit(limitParam())
    .prepare()

const oldFurtherDeliveries = (db: Db) =>
  db
    .select({ id: furtherDeliveries.id })
    .from(furtherDeliveries)
    .where(and(hasFurtherTries, lt(furtherDeliveries.updatedAt, param('before'))))
    .limit(limitParam())
    .prepare()

const expiredWebOrders = (db: Db) =>
  byShape<Record<string, unknown>, Promise<PageStart[]>>(has =>
    db
      .select({ at: orders.expiresAt, id: orders.id })
      .from(orders)
      .where(and(isExpiredWebOrder, has('at') ? isAfter : undefined, lt(orders.expiresAt, param('before'))))
      .orderBy(asc(orders.expiresAt), asc(orders.id))
      .limit(limitParam())
      .prepare(),
  )

export function retentionTable(db: Db): RetentionTable {
  const keys = lazy(() => oldKeys(db))
  const tried = lazy(() => oldDeliveries(db))
  const furtherTried = lazy(() => oldFurtherDeliveries(db))
  const expired = expiredWebOrders(db)
  const lastRun = lazy(() => db.select().from(retentionProgress).prepare())
  const putProgress = putInto(db, retentionProgress, retentionProgress.id)
  return {
    progress: async () => first(await lastRun().execute()),
    noteProgress: progress => putProgress({ id: 1, ...progress }),
    async forgetIdempotencyKeys(operation, before, limit) {
      const old = await keys().execute({ operation, before, limit })
      for (const [merchantId, some] of Map.groupBy(old, row => row.merchantId)) {
        await db.delete(idempotencyKeys).where(
          and(
            eq(idempotencyKeys.merchantId, merchantId),
            eq(idempotencyKeys.operation, operation),
            inArray(
              idempotencyKeys.key,
              some.map(({ key }) => key),
            ),
          ),
        )
      }
      return old.length
    },
    async forgetTries(before, limit) {
      const old = await tried().execute({ before, limit })
      const ids = old.map(({ eventId }) => eventId)
      if (ids.length > 0)
        await db.update(deliveries).set({ tries: [] }).where(inArray(deliveries.eventId, ids))
      const further = (await furtherTried().execute({ before, limit })).map(({ id }) => id)
      if (further.length > 0)
        await db.update(furtherDeliveries).set({ tries: [] }).where(inArray(furtherDeliveries.id, further))
      return Math.max(ids.length, further.length)
    },
    async deleteTestOrders(testShopId, before, limit) {
      assert(isTestShop(testShopId), 'the orders of a merchant are never deleted')
      const found = await listTestOrders(db, testShopId, before, limit)
      if (found.length === 0) return 0
      const orderIds = found.map(({ id }) => id)
      await deletePaidParts(db, testShopId, orderIds)
      await deleteOrders(db, orderIds)
      await deleteUnusedCustomers(
        db,
        found.map(({ customerId }) => customerId),
      )
      return found.length
    },
    listExpiredWebOrders: (before, limit, after) => expired({ before, limit, ...after }),
    async deleteAbandoned(orderIds, before) {
      const found = await deletable(db, orderIds, before)
      if (found.length === 0) return []
      await deleteOrders(
        db,
        found.map(({ id }) => id),
      )
      await deleteUnusedCustomers(
        db,
        found.map(({ customerId }) => customerId),
      )
      return found.map(({ merchantId, currency, createdAt }) => ({ merchantId, currency, createdAt }))
    },
  }
}
