import { and, eq, gte, inArray, isNotNull, lt, type SQL, type SQLWrapper, sql } from 'drizzle-orm'
import type { Amount } from '../../domain/money.ts'
import type { PageTurn } from '../../domain/page.ts'
import type { OrderQuery } from '../port.ts'
import { orders } from '../schema/index.ts'
import type { Db } from './db.ts'
import { numberOfMerchant } from './order-columns.ts'

export const key = { at: orders.createdAt, id: orders.id }

/** The columns that filters compare. The index of all orders of a merchant contains these columns. */
export const traits = {
  ...key,
  status: orders.status,
  chosenMethod: orders.chosenMethod,
  chosenAsset: orders.chosenAsset,
  currency: orders.currency,
  amount: orders.amount,
  refundCount: orders.refundCount,
  paymentState: orders.paymentState,
}

/** Like `traits`, with the merchant and the customer, for orders that were not found by their merchant. */
export const ownTraits = { ...traits, merchantId: orders.merchantId, customerId: orders.customerId }

/** Like `ownTraits`, with the columns that `hasText` compares. */
export const searchedTraits = {
  ...ownTraits,
  externalId: orders.externalId,
  customerFullName: orders.customerFullName,
  productName: orders.productName,
  description: orders.description,
}

/** Columns of orders, or of a subquery that selects them. */
export type Traits = typeof traits & Partial<typeof ownTraits>

export const isOf = (merchantId: string): SQL => eq(orders.merchantNumber, numberOfMerchant(merchantId))

/**
 * Returns an expression by which amounts of one currency sort: they have the same decimals, so a longer
 * amount is larger. An index contains this expression.
 */
const sized = ({ dialect }: Db, amount: SQLWrapper): SQL =>
  sql`${dialect.character(sql`length(${amount}) + 40`)} || ${amount}`
const sizedValue = (amount: Amount): string => String.fromCharCode(amount.length + 40) + amount

/** Amounts in the form that the index contains, for comparisons: `of` a column, and of a `value`. */
export const sizedAmount = { of: sized, value: sizedValue }

function isSized(db: Db, amount: SQLWrapper, { amountFrom, amountTo }: OrderQuery): SQL | undefined {
  return and(
    amountFrom === undefined ? undefined : sql`${sized(db, amount)} >= ${sizedValue(amountFrom)}`,
    amountTo === undefined ? undefined : sql`${sized(db, amount)} <= ${sizedValue(amountTo)}`,
  )
}

/** Restricts orders to a query's period, and to the right side of the page's start. */
const periodOf = ({ createdFrom, createdTo }: OrderQuery, turn: PageTurn | null): SQL | undefined => {
  const start = turn && sql`(${turn.at}, ${turn.id})`
  return and(
    createdFrom === undefined ? undefined : gte(key.at, createdFrom),
    createdTo === undefined ? undefined : lt(key.at, createdTo),
    turn?.direction === 'newer' ? sql`(${key.at}, ${key.id}) > ${start}` : undefined,
    turn?.direction === 'older' ? sql`(${key.at}, ${key.id}) < ${start}` : undefined,
  )
}

/**
 * Returns the bound at which reading starts: the page's start, or the period's bound on that side if it is
 * tighter.
 */
export function boundOf({ createdFrom, createdTo }: OrderQuery, turn: PageTurn | null): SQL | undefined {
  const start = turn && sql`(${turn.at}, ${turn.id})`
  if (turn?.direction === 'newer') {
    return createdFrom !== undefined && createdFrom > turn.at
      ? gte(key.at, createdFrom)
      : sql`(${key.at}, ${key.id}) > ${start}`
  }
  if (createdTo !== undefined && (turn === null || createdTo <= turn.at)) return lt(key.at, createdTo)
  return start === null ? undefined : sql`(${key.at}, ${key.id}) < ${start}`
}

/**
 * Returns the conditions of the parts of an index that together have all orders of a query, each part in the
 * order of the list. Null if the query has more than one filter besides its period, or one without such an
 * index.
 */
export function orderedLanes({ merchantId, ...query }: OrderQuery): SQL[][] | null {
  const { createdFrom: _from, createdTo: _to, ...filters } = query
  const names = Object.entries(filters).flatMap(([name, value]) => (value === undefined ? [] : [name]))
  const { statuses, method, asset, isRefunded, paymentState } = query
  const owner = isOf(merchantId)
  if (names.length === 0) return [[owner]]
  if (names.length > 1) return null
  // The index has a separate part for each status.
  if (statuses) return statuses.map(status => [owner, eq(orders.status, status)])
  if (method !== undefined) return [[owner, eq(orders.chosenMethod, method)]]
  if (asset !== undefined) return [[owner, eq(orders.chosenAsset, asset)]]
  if (paymentState !== undefined) return [[owner, eq(orders.paymentState, paymentState)]]
  return isRefunded ? [[owner, isNotNull(orders.refundStatus)]] : null
}

/** Returns a condition for each filter of a query that has an index. */
export function filterLanes(db: Db, query: OrderQuery, turn: PageTurn | null): SQL[] {
  const { merchantId, ids, customerId, statuses, method, asset, currency, isRefunded, paymentState } = query
  const byTime = (...conditions: SQL[]) => and(isOf(merchantId), ...conditions, periodOf(query, turn))
  const lanes = [
    ids && sql`${key.id} IN ${db.dialect.textsOf(sql`${JSON.stringify(ids)}`)}`,
    customerId !== undefined && eq(orders.customerId, customerId),
    paymentState !== undefined && byTime(eq(orders.paymentState, paymentState)),
    isRefunded && byTime(isNotNull(orders.refundStatus)),
    asset !== undefined && byTime(eq(orders.chosenAsset, asset)),
    method !== undefined && byTime(eq(orders.chosenMethod, method)),
    statuses && byTime(inArray(orders.status, [...statuses])),
    currency !== undefined &&
      and(isOf(merchantId), eq(orders.currency, currency), isSized(db, orders.amount, query)),
  ]
  return lanes.flatMap(lane => lane || [])
}

/** Returns all conditions of a query except its period, to check rows that were found by one of them. */
export function allOf(db: Db, query: OrderQuery, row: Traits): SQL | undefined {
  const { merchantId, customerId, statuses, method, asset, currency, isRefunded, paymentState } = query
  return and(
    // A row found by its ID may belong to another merchant.
    row.merchantId && eq(row.merchantId, merchantId),
    row.customerId && customerId !== undefined ? eq(row.customerId, customerId) : undefined,
    statuses && inArray(row.status, [...statuses]),
    method === undefined ? undefined : eq(row.chosenMethod, method),
    asset === undefined ? undefined : eq(row.chosenAsset, asset),
    currency === undefined ? undefined : eq(row.currency, currency),
    isSized(db, row.amount, query),
    isRefunded === undefined ? undefined : isRefunded ? sql`${row.refundCount} > 0` : eq(row.refundCount, 0),
    paymentState === undefined ? undefined : eq(row.paymentState, paymentState),
  )
}
