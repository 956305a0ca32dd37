import { and, asc, eq, gte, isNull } from 'drizzle-orm'
import type { Db } from './db.ts'
import type { Events } from './port.ts'
import { inserting } from './prepared.ts'
import { first } from './rows.ts'
import { deliveries, events } from './schema.ts'

export function eventsTable(db: Db): Events {
  const insertEvent = inserting(db, events)
  const insertDelivery = inserting(db, deliveries)
  return {
    find: async id =>
      first(
        await db
          .select({ event: events, delivery: deliveries })
          .from(events)
          .innerJoin(deliveries, eq(deliveries.eventId, events.id))
          .where(eq(events.id, id)),
      ),
    async insert(event, delivery) {
      await insertEvent(event)
      await insertDelivery(delivery)
    },
    async updateDelivery(eventId, change) {
      await db.update(deliveries).set(change).where(eq(deliveries.eventId, eventId))
    },
    waiting: async (merchantId, createdFrom) => {
      const rows = await db
        .select({ eventId: deliveries.eventId })
        .from(deliveries)
        .where(
          and(
            eq(deliveries.merchantId, merchantId),
            eq(deliveries.status, 'pending'),
            isNull(deliveries.nextAttemptAt),
            gte(deliveries.createdAt, createdFrom),
          ),
        )
        .orderBy(asc(deliveries.createdAt))
      return rows.map(row => row.eventId)
    },
  }
}
