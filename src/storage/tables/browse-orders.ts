import { and, asc, desc, eq, gte, inArray, lt, type SQL, sql } from 'drizzle-orm'
import type { PageStart, PageTurn } from '../../domain/page.ts'
import type { ExaminedOrders, OrderQuery, OrderWithSession } from '../port.ts'
import { orders } from '../schema/index.ts'
import type { Db } from './db.ts'
import { numberOfMerchant, orderWithSession } from './order-columns.ts'

type Direction = PageTurn['direction']

const key = { at: orders.createdAt, id: orders.id }

/** Below zero if `a` comes before `b` in a list, newest first. */
const compare = (a: PageStart, b: PageStart): number => b.at - a.at || (a.id < b.id ? 1 : -1)

/**
 * What one index serves: the conditions on its first columns. Several statuses have a part of the index each,
 * which are read apart and merged.
 */
function lanesOf({ merchantId, ids, customerId, isRefunded, asset, ...query }: OrderQuery): SQL[][] {
  const { method, statuses } = query
  if (ids) return [[inArray(key.id, [...ids])]]
  if (customerId !== undefined) return [[eq(orders.customerId, customerId)]]
  const owner = eq(orders.merchantNumber, numberOfMerchant(merchantId))
  // A literal, because the index is partial.
  if (isRefunded) return [[owner, sql`${orders.refundCount} > 0`]]
  if (asset !== undefined) return [[owner, eq(orders.chosenAsset, asset)]]
  if (method !== undefined) return [[owner, eq(orders.chosenMethod, method)]]
  return statuses?.map(status => [owner, eq(orders.status, status)]) ?? [[owner]]
}

/** Where reading starts: the tighter of the page's start and the bound of the period on that side. */
function boundOf({ createdFrom, createdTo }: OrderQuery, turn: PageTurn | null): SQL | undefined {
  const start = turn && sql`(${turn.at}, ${turn.id})`
  if (turn?.direction === 'newer') {
    return createdFrom !== undefined && createdFrom > turn.at
      ? gte(key.at, createdFrom)
      : sql`(${key.at}, ${key.id}) > ${start}`
  }
  if (createdTo !== undefined && (turn === null || createdTo <= turn.at)) return lt(key.at, createdTo)
  return start === null ? undefined : sql`(${key.at}, ${key.id}) < ${start}`
}

const isWithin = ({ createdFrom = 0, createdTo = Number.MAX_SAFE_INTEGER }: OrderQuery, at: number) =>
  at >= createdFrom && at < createdTo

const columns = {
  ...key,
  merchantId: orders.merchantId,
  customerId: orders.customerId,
  status: orders.status,
  chosenMethod: orders.chosenMethod,
  chosenAsset: orders.chosenAsset,
  currency: orders.currency,
  amount: orders.amount,
  refundCount: orders.refundCount,
}
const startOf = ({ order }: OrderWithSession): PageStart => ({ at: order.createdAt, id: order.id })

type Columns = { [name in keyof typeof columns]: (typeof columns)[name] }

/** Amounts of one currency have the same decimals, so that the longer one is the larger one. */
const sized = (amount: SQL | Columns['amount']): SQL => sql`(length(${amount}), ${amount})`

/** The conditions that no index serves. */
function restOf(query: OrderQuery, row: Columns): SQL[] {
  const { merchantId, ids, customerId, statuses, method, asset, isRefunded } = query
  const { currency, amountFrom, amountTo } = query
  const conditions = [
    // The other lanes have the merchant's number. IDs may be another merchant's.
    (customerId !== undefined || ids !== undefined) && eq(row.merchantId, merchantId),
    customerId !== undefined && eq(row.customerId, customerId),
    statuses !== undefined && inArray(row.status, [...statuses]),
    method !== undefined && eq(row.chosenMethod, method),
    asset !== undefined && eq(row.chosenAsset, asset),
    currency !== undefined && eq(row.currency, currency),
    amountFrom !== undefined && sql`${sized(row.amount)} >= ${sized(sql`${amountFrom}`)}`,
    amountTo !== undefined && sql`${sized(row.amount)} <= ${sized(sql`${amountTo}`)}`,
    isRefunded !== undefined && (isRefunded ? sql`${row.refundCount} > 0` : eq(row.refundCount, 0)),
  ]
  return conditions.filter(condition => condition !== false)
}

/** Whether an index serves everything that the query asks for, except for the end of the period. */
const isIndexed = ({ merchantId: _m, createdFrom: _f, createdTo: _t, statuses: _s, ...rest }: OrderQuery) =>
  Object.values(rest).every(value => value === undefined)

interface Lane {
  keys: PageStart[]
  examinedTo: PageStart | null
}

async function readLane(
  db: Db,
  query: OrderQuery,
  lane: SQL[],
  limit: number,
  turn: PageTurn | null,
  examinedMax: number,
): Promise<Lane> {
  const order = turn?.direction === 'newer' ? asc : desc
  const range = and(...lane, boundOf(query, turn))
  const sorted = [order(key.at), order(key.id)]
  const within = (keys: PageStart[]) => keys.filter(({ at }) => isWithin(query, at))
  if (isIndexed(query)) {
    const keys = await db
      .select(key)
      .from(orders)
      .where(range)
      .orderBy(...sorted)
      .limit(limit)
    return { keys: within(keys), examinedTo: null }
  }
  const examined = db
    .select(columns)
    .from(orders)
    .where(range)
    .orderBy(...sorted)
    .limit(examinedMax)
    .as('examined')
  const rest = restOf(query, examined as unknown as Columns)
  const keys = await db
    .select({ at: examined.at, id: examined.id })
    .from(examined)
    .where(and(...rest))
    .limit(limit)
  if (keys.length === limit) return { keys: within(keys), examinedTo: null }
  const [last] = await db
    .select(key)
    .from(orders)
    .where(range)
    .orderBy(...sorted)
    .limit(1)
    .offset(examinedMax - 1)
  return { keys: within(keys), examinedTo: last && isWithin(query, last.at) ? last : null }
}

/** The first rows of several lanes. The next page has what only some of the lanes were examined for. */
function merge(lanes: Lane[], direction: Direction, limit: number): Lane {
  const sign = direction === 'newer' ? -1 : 1
  const inOrder = (a: PageStart, b: PageStart) => sign * compare(a, b)
  const [cut] = lanes.flatMap(({ examinedTo }) => examinedTo ?? []).sort(inOrder)
  const keys = lanes
    .flatMap(lane => lane.keys)
    .sort(inOrder)
    .filter(one => cut === undefined || inOrder(one, cut) <= 0 || one.id === cut.id)
    .slice(0, limit)
  return { keys, examinedTo: keys.length === limit ? null : (cut ?? null) }
}

/** Lists orders by what people filter them by, within a bounded time. */
export async function browseOrders(
  db: Db,
  query: OrderQuery,
  limit: number,
  turn: PageTurn | null,
  examinedMax: number,
): Promise<ExaminedOrders> {
  const lanes = lanesOf(query)
  const max = Math.ceil(examinedMax / lanes.length)
  const read = await Promise.all(lanes.map(lane => readLane(db, query, lane, limit, turn, max)))
  const { keys, examinedTo } = merge(read, turn?.direction ?? 'older', limit)
  if (keys.length === 0) return { rows: [], examinedTo }
  const ids = keys.map(({ id }) => id)
  const rows = await db.select(orderWithSession).from(orders).where(inArray(key.id, ids))
  return { rows: rows.sort((a, b) => compare(startOf(a), startOf(b))), examinedTo }
}
