import { and, asc, count, desc, eq, getTableColumns, gt, gte, inArray, lt, type SQL, sql } from 'drizzle-orm'
import type { SQLiteColumn } from 'drizzle-orm/sqlite-core'
import {
  type DeliveryStatus,
  type Event,
  type EventType,
  type EventWithDelivery,
  eventTypes,
  isEventType,
  isOfPaidOrder,
  type MessageType,
  type Webhook,
  type WebhookFormat,
  type WebhookMode,
} from '../../domain/webhook.ts'
import type { Events, Webhooks } from '../port.ts'
import { deliveries, events, furtherWebhooks, webhooks } from '../schema/index.ts'
import type { Db } from './db.ts'
import { olderThan, upperBound } from './keyset.ts'
import { byShape, first, insertInto, lazy, limitParam, param, putInto, updateOf } from './statements.ts'

/**
 * The tables whose indexes serve lists. The status is a column of deliveries, because events never change.
 * Deliveries repeat the type and time of their event, so that one index covers all three.
 */
const byTime = { table: events, at: events.createdAt, id: events.id }
const byStatus = { table: deliveries, at: deliveries.createdAt, id: deliveries.eventId }

async function countByStatus(db: Db, merchantId: string, status: DeliveryStatus): Promise<number> {
  const [found] = await db
    .select({ number: count() })
    .from(deliveries)
    .where(and(eq(deliveries.merchantId, merchantId), eq(deliveries.status, status)))
  return found?.number ?? 0
}

/**
 * Divisor of the time for which an event has failed while others succeeded. It waits for the quotient between
 * two tries.
 */
const WAIT_PART = 8

/** A table of deliveries: those to the first webhook or to further ones. */
type DeliveryColumns = Record<'updatedAt' | 'firstTriedAt' | 'nextAttemptAt', SQLiteColumn>

/**
 * Returns the due time of retries that are brought forward, and a condition that it is earlier than planned.
 */
export function earlier(of: DeliveryColumns, now: number, failingSince: number): { at: SQL; isLater: SQL } {
  const waited = sql`${of.updatedAt} + (${failingSince} - ${of.firstTriedAt}) / ${WAIT_PART}`
  const at = sql`CASE WHEN ${waited} > ${now} THEN ${waited} ELSE ${now} END`
  return { at, isLater: gt(of.nextAttemptAt, at) }
}

/**
 * Lists events that wait for a webhook. Those of paid orders are listed first, by a query of their own,
 * because an index by type is in alphabetical order.
 */
export async function paidFirst<Type extends MessageType, Row>(
  types: readonly Type[],
  limit: number,
  list: (types: Type[], limit: number) => Promise<Row[]>,
): Promise<Row[]> {
  const others = types.filter(type => !isOfPaidOrder(type))
  const paid = others.length === types.length ? [] : await list(types.filter(isOfPaidOrder), limit)
  if (others.length === 0 || paid.length === limit) return paid
  return [...paid, ...(await list(others, limit - paid.length))]
}

/** Returns the types by their names, as parameters for a query of `byShape`. */
export const byName = (types: readonly MessageType[]): Record<string, MessageType> =>
  Object.fromEntries(types.map(type => [type, type]))

// A literal, not a parameter: SQLite uses a partial index only if the query repeats its condition.
const isParked = sql`${deliveries.status} <> 'delivered' AND ${deliveries.nextAttemptAt} IS NULL`
const listParked = (db: Db) =>
  byShape<Record<string, unknown>, Promise<Pick<Event, 'id' | 'type'>[]>>(has => {
    const types = eventTypes.filter(has).map(param) as unknown as EventType[]
    return db
      .select({ id: deliveries.eventId, type: deliveries.type })
      .from(deliveries)
      .where(
        and(
          eq(deliveries.merchantId, param('merchantId')),
          inArray(deliveries.type, types),
          gte(deliveries.createdAt, param('from')),
          isParked,
        ),
      )
      .orderBy(asc(deliveries.type), asc(deliveries.createdAt))
      .limit(limitParam())
      .prepare()
  })

export function eventsTable(db: Db): Events {
  const insertEvent = insertInto(db, events)
  const insertDelivery = insertInto(db, deliveries)
  const withDeliveries = () =>
    db
      .select({ event: events, delivery: deliveries })
      .from(events)
      .innerJoin(deliveries, eq(deliveries.eventId, events.id))
  const byId = lazy(() =>
    withDeliveries()
      .where(eq(events.id, param('id')))
      .prepare(),
  )
  const listed = byShape<Record<string, unknown>, Promise<EventWithDelivery[]>>(has => {
    const { table, at, id } = has('status') ? byStatus : byTime
    return withDeliveries()
      .where(
        and(
          eq(table.merchantId, param('merchantId')),
          has('type') ? eq(table.type, param('type')) : undefined,
          has('status') ? eq(deliveries.status, param('status')) : undefined,
          has('createdTo') ? lt(at, param('createdTo')) : undefined,
          has('at') ? olderThan(at, id) : undefined,
        ),
      )
      .orderBy(desc(at), desc(id))
      .limit(limitParam())
      .prepare()
  })
  const parked = listParked(db)
  const isOfEvent = eq(deliveries.eventId, param('eventId'))
  const update = updateOf<typeof deliveries, { eventId: string }>(db, deliveries, isOfEvent)
  return {
    find: async id => first(await byId().execute({ id })),
    async list({ merchantId, type, status, createdFrom = 0, createdTo }, limit, after) {
      const bound = upperBound(createdTo, after)
      const rows = await listed({ merchantId, type, status, limit, ...bound })
      // `createdFrom` is not in the query, because SQLite would then choose another index: see `upperBound`.
      // Events that are too old are at the end of the page.
      return rows.filter(({ event }) => event.createdAt >= createdFrom)
    },
    listOfOrder: async (orderId, limit) =>
      withDeliveries()
        .where(eq(events.orderId, orderId))
        .orderBy(desc(events.createdAt), desc(events.id))
        .limit(limit),
    countByStatus: (merchantId, status) => countByStatus(db, merchantId, status),
    async insert(event, delivery) {
      await insertEvent(event)
      await insertDelivery({ ...delivery, type: event.type })
    },
    updateDelivery: (eventId, change) => update({ eventId }, change),
    listParked: (merchantId, types, limit, from = 0) =>
      paidFirst(types, limit, (some, most) => parked({ merchantId, limit: most, from, ...byName(some) })),
    async bringForward(merchantId, now, failingSince) {
      const { at, isLater } = earlier(deliveries, now, failingSince)
      await db
        .update(deliveries)
        .set({ nextAttemptAt: at })
        .where(and(eq(deliveries.merchantId, merchantId), eq(deliveries.status, 'pending'), isLater))
    },
  }
}

/** Fields with the same value for every first webhook. */
const asFirst = { isFirst: true, format: 'florin', keyId: null, mode: 'live' } as const

/** Sorts first webhooks before all others, and these by age. */
const byAge = (one: Webhook, other: Webhook): number =>
  Number(other.isFirst) - Number(one.isFirst) ||
  one.createdAt - other.createdAt ||
  (one.id < other.id ? -1 : 1)

/** Selects the webhooks of a merchant from both tables. UNION matches columns by their position. */
function allWebhooks(db: Db) {
  const { format, keyId, mode, events: types, ...common } = getTableColumns(furtherWebhooks)
  const { events: firstTypes, sendsFrom, ...first } = getTableColumns(webhooks)
  const merchantId = param('merchantId')
  const isOfMerchant = (column: SQLiteColumn) => sql`${column} = ${merchantId}`
  return db
    .select({
      ...common,
      events: types,
      ...{ format, keyId, mode },
      sendsFrom: sql<number | null>`NULL`.mapWith(
        value => sendsFrom.mapFromDriverValue(value) as number | null,
      ),
      isFirst: sql<number>`0`.as('is_first'),
    })
    .from(furtherWebhooks)
    .where(isOfMerchant(furtherWebhooks.merchantId))
    .unionAll(
      db
        .select({
          ...first,
          events: sql<MessageType[]>`${firstTypes}`.mapWith(types),
          format: sql<WebhookFormat>`'florin'`,
          keyId: sql<string | null>`NULL`,
          mode: sql<WebhookMode>`'live'`,
          sendsFrom,
          isFirst: sql<number>`1`.as('is_first'),
        })
        .from(webhooks)
        .where(isOfMerchant(webhooks.merchantId)),
    )
    .prepare()
}

export function webhooksTable(db: Db): Webhooks {
  const all = lazy(() => allWebhooks(db))
  const ofMerchant = lazy(() =>
    db
      .select()
      .from(webhooks)
      .where(eq(webhooks.merchantId, param('merchantId')))
      .prepare(),
  )
  const put = putInto(db, webhooks, webhooks.id)
  return {
    async find(merchantId) {
      const row = first(await ofMerchant().execute({ merchantId }))
      return row && { ...row, ...asFirst }
    },
    async listOf(merchantId) {
      const rows = await all().execute({ merchantId })
      return rows.map(row => ({ ...row, isFirst: row.isFirst === 1 })).toSorted(byAge)
    },
    put({ isFirst: _, format: __, keyId: ___, mode: ____, ...row }) {
      return put({ ...row, events: row.events.filter(isEventType) })
    },
  }
}
