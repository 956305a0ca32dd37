import { and, asc, count, desc, eq, inArray, isNotNull, sql } from 'drizzle-orm'
import { eventTypes, greenfieldTypes, ipnTypes, type MessageType } from '../../domain/webhook.ts'
import type { FurtherDeliveries, FurtherWebhooks } from '../port.ts'
import { events, furtherDeliveries, furtherWebhooks } from '../schema/index.ts'
import type { Db } from './db.ts'
import { byName, earlier, paidFirst } from './events.ts'
import { byShape, first, insertInto, lazy, limitParam, param, putInto, updateOf } from './statements.ts'

export function furtherWebhooksTable(db: Db): FurtherWebhooks {
  const ofMerchant = lazy(() =>
    db
      .select()
      .from(furtherWebhooks)
      .where(eq(furtherWebhooks.merchantId, param('merchantId')))
      .orderBy(asc(furtherWebhooks.createdAt), asc(furtherWebhooks.id))
      .prepare(),
  )
  const put = putInto(db, furtherWebhooks, furtherWebhooks.id)
  return {
    async find(merchantId) {
      const rows = await ofMerchant().execute({ merchantId })
      return rows.map(row => ({ ...row, isFirst: false, sendsFrom: null }))
    },
    put({ isFirst: _, sendsFrom: __, ...row }) {
      return put(row)
    },
    async remove(id) {
      await db.delete(furtherDeliveries).where(eq(furtherDeliveries.webhookId, id))
      await db.delete(furtherWebhooks).where(eq(furtherWebhooks.id, id))
    },
  }
}

// A literal, not a parameter: SQLite uses a partial index only if the query repeats its condition.
const { status, nextAttemptAt } = furtherDeliveries
const isParked = sql`${status} <> 'delivered' AND ${nextAttemptAt} IS NULL`

const listParked = (db: Db) =>
  byShape<Record<string, unknown>, Promise<{ id: string; type: MessageType }[]>>(has => {
    const { webhookId, id, type, createdAt } = furtherDeliveries
    const types = [...eventTypes, ...greenfieldTypes, ...ipnTypes]
      .filter(has)
      .map(param) as unknown as MessageType[]
    return db
      .select({ id, type })
      .from(furtherDeliveries)
      .where(and(eq(webhookId, param('webhookId')), inArray(type, types), isParked))
      .orderBy(asc(type), asc(createdAt))
      .limit(limitParam())
      .prepare()
  })

export function furtherDeliveriesTable(db: Db): FurtherDeliveries {
  // Events of both formats are rows of this table, but its port for the first webhook has fewer types.
  const insertEvent = insertInto(db, events) as FurtherDeliveries['insertEvent']
  const insert = insertInto(db, furtherDeliveries)
  const withEvents = () =>
    db
      .select({ event: events, delivery: furtherDeliveries })
      .from(furtherDeliveries)
      .innerJoin(events, eq(events.id, furtherDeliveries.eventId))
  const byId = lazy(() =>
    withEvents()
      .where(eq(furtherDeliveries.id, param('id')))
      .prepare(),
  )
  const update = updateOf<typeof furtherDeliveries, { id: string }>(
    db,
    furtherDeliveries,
    eq(furtherDeliveries.id, param('id')),
  )
  const parked = listParked(db)
  return {
    find: async id => first(await byId().execute({ id })),
    list: async (webhookId, limit) =>
      withEvents()
        .where(eq(furtherDeliveries.webhookId, webhookId))
        .orderBy(desc(furtherDeliveries.createdAt), desc(furtherDeliveries.id))
        .limit(limit),
    async listWaiting(webhookId, orderId) {
      const ofWebhook = eq(furtherDeliveries.webhookId, webhookId)
      const rows = await withEvents().where(
        and(eq(events.orderId, orderId), ofWebhook, isNotNull(nextAttemptAt)),
      )
      return rows.map(({ delivery }) => delivery)
    },
    listOfEvent: async eventId =>
      db
        .select()
        .from(furtherDeliveries)
        .where(eq(furtherDeliveries.eventId, eventId))
        .orderBy(desc(furtherDeliveries.createdAt), desc(furtherDeliveries.id)),
    insertEvent,
    insert,
    update: (id, change) => update({ id }, change),
    listParked: (webhookId, types, limit) =>
      paidFirst(types, limit, (some, most) => parked({ webhookId, limit: most, ...byName(some) })),
    async countGivenUp(webhookId) {
      const ofWebhook = eq(furtherDeliveries.webhookId, webhookId)
      const [found] = await db
        .select({ number: count() })
        .from(furtherDeliveries)
        .where(and(ofWebhook, isParked, eq(status, 'failed')))
      return found?.number ?? 0
    },
    async bringForward(webhookId, now, failingSince) {
      const { at, isLater } = earlier(furtherDeliveries, now, failingSince)
      const ofWebhook = eq(furtherDeliveries.webhookId, webhookId)
      await db
        .update(furtherDeliveries)
        .set({ nextAttemptAt: at })
        .where(and(ofWebhook, eq(furtherDeliveries.status, 'pending'), isLater))
    },
  }
}
