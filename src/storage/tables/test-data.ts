import { and, asc, eq, inArray, isNotNull, lt, sql } from 'drizzle-orm'
import type { SQLiteColumn, SQLiteTable } from 'drizzle-orm/sqlite-core'
import {
  attempts,
  deliveries,
  furtherDeliveries,
  idempotencyKeys,
  incomingPayments,
  jobs,
  orderNotes,
  orders,
  refunds,
  reversals,
  settlements,
  transactions,
  unmatchedPayments,
} from '../schema/index.ts'
import type { Db } from './db.ts'

/**
 * Tables whose rows of an order are deleted before its attempts, in this order: rows refer to those of later
 * tables.
 */
const ofOrder = [
  settlements,
  refunds,
  reversals,
  unmatchedPayments,
  incomingPayments,
  orderNotes,
] as const satisfies readonly (SQLiteTable & { orderId: SQLiteColumn })[]

const deleteJobs = async (db: Db, subjects: string[]): Promise<void> => {
  if (subjects.length > 0) await db.delete(jobs).where(inArray(jobs.subject, subjects))
}

const idsIn = async (rows: PromiseLike<{ id: string }[]>): Promise<string[]> =>
  (await rows).map(({ id }) => id)

/** Finds up to `limit` test orders that were created before a time, oldest first. */
export const listTestOrders = (db: Db, testShopId: string, before: number, limit: number) =>
  db
    .select({ id: orders.id, customerId: orders.customerId })
    .from(orders)
    .where(and(eq(orders.merchantId, testShopId), lt(orders.createdAt, before)))
    .orderBy(asc(orders.createdAt), asc(orders.id))
    .limit(limit)

/**
 * Deletes the rows that only paid orders have, and the jobs of all these orders. The database refuses this
 * for live orders.
 */
export async function deletePaidParts(db: Db, testShopId: string, orderIds: string[]): Promise<void> {
  const own = <T extends SQLiteTable & { orderId: SQLiteColumn }>({ orderId }: T) =>
    inArray(orderId, orderIds)
  const refundIds = await idsIn(db.select({ id: refunds.id }).from(refunds).where(own(refunds)))
  const reversalIds = await idsIn(db.select({ id: reversals.id }).from(reversals).where(own(reversals)))
  const attemptIds = await idsIn(db.select({ id: attempts.id }).from(attempts).where(own(attempts)))
  const eventsOf = sql`(SELECT id FROM events WHERE order_id IN ${orderIds})`
  const deliveryIds = [
    ...(await idsIn(
      db.select({ id: deliveries.eventId }).from(deliveries).where(inArray(deliveries.eventId, eventsOf)),
    )),
    ...(await idsIn(
      db
        .select({ id: furtherDeliveries.id })
        .from(furtherDeliveries)
        .where(inArray(furtherDeliveries.eventId, eventsOf)),
    )),
  ]
  await deleteJobs(db, [...orderIds, ...attemptIds, ...reversalIds, ...deliveryIds])
  for (const table of ofOrder) await db.delete(table).where(own(table))
  // A paid order and its transaction refer to each other. Only a paid order with `forcedAt` may have no
  // transaction.
  await db
    .update(orders)
    .set({ transactionId: null, forcedAt: sql`${orders.updatedAt}` })
    .where(and(inArray(orders.id, orderIds), isNotNull(orders.transactionId)))
  await db.delete(transactions).where(own(transactions))
  await db
    .delete(idempotencyKeys)
    .where(
      and(
        eq(idempotencyKeys.merchantId, testShopId),
        inArray(idempotencyKeys.resourceId, [...orderIds, ...refundIds]),
      ),
    )
}
