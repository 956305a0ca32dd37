import { and, asc, desc, eq, gt, inArray, sql } from 'drizzle-orm'
import type { EventFilter, Events } from '../port.ts'
import { deliveries, events } from '../schema/index.ts'
import type { Db } from './db.ts'
import { olderThan } from './keyset.ts'
import { first } from './results.ts'
import { insertInto } from './statements.ts'

/**
 * The table whose index serves a list. The status is a column of deliveries, because events never change. A
 * delivery repeats the type and time of its event, so that one index covers all three.
 */
const leading = ({ status }: EventFilter) =>
  status === undefined
    ? { table: events, at: events.createdAt, id: events.id }
    : { table: deliveries, at: deliveries.createdAt, id: deliveries.eventId }

export function eventsTable(db: Db): Events {
  const insertEvent = insertInto(db, events)
  const insertDelivery = insertInto(db, deliveries)
  const withDeliveries = () =>
    db
      .select({ event: events, delivery: deliveries })
      .from(events)
      .innerJoin(deliveries, eq(deliveries.eventId, events.id))
  return {
    find: async id => first(await withDeliveries().where(eq(events.id, id))),
    list(filter, limit, after) {
      const { table, at, id } = leading(filter)
      return withDeliveries()
        .where(
          and(
            eq(table.merchantId, filter.merchantId),
            filter.type && eq(table.type, filter.type),
            filter.status && eq(deliveries.status, filter.status),
            olderThan(at, id, after),
          ),
        )
        .orderBy(desc(at), desc(id))
        .limit(limit)
    },
    listOfOrder: async (orderId, limit) =>
      withDeliveries()
        .where(eq(events.orderId, orderId))
        .orderBy(desc(events.createdAt), desc(events.id))
        .limit(limit),
    async insert(event, delivery) {
      await insertEvent(event)
      await insertDelivery({ ...delivery, type: event.type })
    },
    async updateDelivery(eventId, change) {
      await db.update(deliveries).set(change).where(eq(deliveries.eventId, eventId))
    },
    async listParked(merchantId, types, limit) {
      // The partial index serves only a query that repeats its condition literally.
      const isParked = sql`${deliveries.status} <> 'delivered' AND ${deliveries.nextAttemptAt} IS NULL`
      return db
        .select({ id: deliveries.eventId, type: deliveries.type })
        .from(deliveries)
        .where(and(eq(deliveries.merchantId, merchantId), inArray(deliveries.type, types), isParked))
        .orderBy(asc(deliveries.type), asc(deliveries.createdAt))
        .limit(limit)
    },
    async bringForward(merchantId, now) {
      const isLater = gt(deliveries.nextAttemptAt, now)
      await db
        .update(deliveries)
        .set({ nextAttemptAt: now })
        .where(and(eq(deliveries.merchantId, merchantId), eq(deliveries.status, 'pending'), isLater))
    },
  }
}
