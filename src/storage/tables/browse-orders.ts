import { and, asc, count, desc, eq, inArray, type SQL, sql } from 'drizzle-orm'
import type { PageStart, PageTurn } from '../../domain/page.ts'
import type { ExaminedOrders, OrderQuery } from '../port.ts'
import { orders } from '../schema/index.ts'
import type { Db } from './db.ts'
import { hasText } from './match-orders.ts'
import { orderWithSession } from './order-columns.ts'
import {
  allOf,
  boundOf,
  filterLanes,
  isOf,
  key,
  orderedLanes,
  ownTraits,
  searchedTraits,
  type Traits,
  traits,
} from './order-filters.ts'

/** Max orders that match a filter for all of them to be read, whatever the other filters are. */
const FEW_MAX = 1500
/**
 * Max orders of a customer that are examined, because they are looked up one by one. Only the customer
 * without an address has as many.
 */
const OF_CUSTOMER_MAX = 3000

/**
 * Limit of a subquery that has to be planned apart from its outer conditions. It restricts nothing, because
 * it is more than a search finds, and than `FEW_MAX`.
 */
const PLANNED_APART = 1_000_000

/** The part of a list to read: its start, direction and length. */
interface Page {
  limit: number
  turn: PageTurn | null
}

interface FoundKeys {
  keys: PageStart[]
  examinedTo: PageStart | null
}

/** Negative if `a` comes before `b` in a list, newest first. */
const compare = (a: PageStart, b: PageStart): number => b.at - a.at || (a.id < b.id ? 1 : -1)

const isWithin = ({ createdFrom = 0, createdTo = Number.MAX_SAFE_INTEGER }: OrderQuery, at: number) =>
  at >= createdFrom && at < createdTo

function sortedBy(turn: PageTurn | null): SQL[] {
  const order = turn?.direction === 'newer' ? asc : desc
  return [order(key.at), order(key.id)]
}

/** Returns the first keys of a page, within the query's period. */
function firstOf(query: OrderQuery, keys: PageStart[], { limit, turn }: Page): PageStart[] {
  const sign = turn?.direction === 'newer' ? -1 : 1
  return keys
    .filter(({ at }) => isWithin(query, at))
    .sort((a, b) => sign * compare(a, b))
    .slice(0, limit)
}

/**
 * Reads the beginning of each lane, and returns the first keys. The index of a lane has the order of the
 * list.
 */
async function readOrdered(db: Db, query: OrderQuery, lanes: SQL[][], page: Page): Promise<FoundKeys> {
  const { limit, turn } = page
  const read = lanes.map(lane =>
    db
      .select(key)
      .from(orders)
      .where(and(...lane, boundOf(query, turn)))
      .orderBy(...sortedBy(turn))
      .limit(limit),
  )
  return { keys: firstOf(query, (await Promise.all(read)).flat(), page), examinedTo: null }
}

/** Returns the filter that the fewest orders match; null if all match at least `max` orders. */
async function fewestOf(db: Db, lanes: SQL[], max: number): Promise<SQL | null> {
  let fewest: SQL | null = null
  let least = max
  for (const lane of lanes) {
    const one = { one: sql<number>`1`.as('one') }
    const counted = db.select(one).from(orders).where(lane).limit(least).as('counted')
    const [row] = await db.select({ count: count() }).from(counted)
    if (row && row.count < least) {
      fewest = lane
      least = row.count
    }
  }
  return fewest
}

/** Reads all orders of a lane, then filters and sorts them. */
async function readFew(db: Db, query: OrderQuery, lane: SQL, page: Page): Promise<FoundKeys> {
  const { turn } = page
  const few = db.select(ownTraits).from(orders).where(lane).limit(PLANNED_APART).as('few')
  const all = await db
    .select({ at: few.at, id: few.id })
    .from(few)
    .where(allOf(db, query, few as unknown as Traits))
  const sign = turn?.direction === 'newer' ? -1 : 1
  const onward = all.filter(
    start => turn === null || (start.id !== turn.id && sign * compare(start, turn) > 0),
  )
  return { keys: firstOf(query, onward, page), examinedTo: null }
}

/** Reads orders in list order, until enough match or `max` were examined. */
async function examine(db: Db, query: OrderQuery, examinedMax: number, page: Page): Promise<FoundKeys> {
  const { limit, turn } = page
  const { customerId, merchantId, text } = query
  const isOfCustomer = customerId !== undefined
  const range = and(isOfCustomer ? eq(orders.customerId, customerId) : isOf(merchantId), boundOf(query, turn))
  const max = isOfCustomer ? Math.min(examinedMax, OF_CUSTOMER_MAX) : examinedMax
  const examined = db
    .select(text !== undefined ? searchedTraits : isOfCustomer ? ownTraits : traits)
    .from(orders)
    .where(range)
    .orderBy(...sortedBy(turn))
    .limit(max)
    .as('examined')
  const row = examined as unknown as Traits & typeof searchedTraits
  const keys = await db
    .select({ at: examined.at, id: examined.id })
    .from(examined)
    .where(and(allOf(db, query, row), text === undefined ? undefined : hasText(db, row, text)))
    .limit(limit)
  if (keys.length === limit) return { keys: firstOf(query, keys, page), examinedTo: null }
  const [last] = await db
    .select(key)
    .from(orders)
    .where(range)
    .orderBy(...sortedBy(turn))
    .limit(1)
    .offset(max - 1)
  return { keys: firstOf(query, keys, page), examinedTo: last && isWithin(query, last.at) ? last : null }
}

async function find(db: Db, query: OrderQuery, examinedMax: number, page: Page): Promise<FoundKeys> {
  if (query.text !== undefined) return examine(db, query, examinedMax, page)
  const ordered = orderedLanes(query)
  if (ordered) return readOrdered(db, query, ordered, page)
  const lanes = filterLanes(db, query, page.turn)
  // A search has found only a few orders. Their lane is the first one.
  const few = query.ids ? lanes[0] : await fewestOf(db, lanes, Math.min(FEW_MAX, examinedMax))
  return few ? readFew(db, query, few, page) : examine(db, query, examinedMax, page)
}

/** Lists the orders that match a query, within a bounded time. */
export async function browseOrders(
  db: Db,
  query: OrderQuery,
  limit: number,
  turn: PageTurn | null,
  examinedMax: number,
): Promise<ExaminedOrders> {
  const { keys, examinedTo } = await find(db, query, examinedMax, { limit, turn })
  if (keys.length === 0) return { rows: [], examinedTo }
  const ids = keys.map(({ id }) => id)
  const rows = await db.select(orderWithSession).from(orders).where(inArray(key.id, ids))
  return {
    rows: rows.sort((a, b) =>
      compare({ at: a.order.createdAt, id: a.order.id }, { at: b.order.createdAt, id: b.order.id }),
    ),
    examinedTo,
  }
}
