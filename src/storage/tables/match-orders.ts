import { and, desc, eq, exists, inArray, isNotNull, or, type SQL, type SQLWrapper, sql } from 'drizzle-orm'
import type { SQLiteColumn } from 'drizzle-orm/sqlite-core'
import { emailKey } from '../../domain/merchant.ts'
import type { OrderMatches } from '../port.ts'
import { attempts, customers, incomingPayments, orders, transactions } from '../schema/index.ts'
import type { Db } from './db.ts'
import { startsWith, unindexed } from './keyset.ts'
import { hasAmount, hasPart, idsOfAmount, selectByPart } from './match-parts.ts'
import { numberOfMerchant, txSpellings } from './order-columns.ts'

/** Max orders that are found by each field. */
const MATCHES_MAX = 500
const CUSTOMERS_MAX = 50
/** Min length of the beginning of an address or transaction: "0x" and six digits. */
const HASH_MIN = 8
const UUID_START = /^[0-9a-f-]{4,36}$/
const HASH = /^\S+$/

/** Lowercases only A to Z, as SQLite's lower() does. */
const asciiLower = (text: string): string => text.replace(/[A-Z]/g, letter => letter.toLowerCase())

const capitalized = (text: string): string =>
  text.toLowerCase().replace(/(?<![\p{L}\p{M}])\p{L}/gu, letter => letter.toUpperCase())

/** Returns the spellings in which a name is searched for, because SQLite's lower() changes only A to Z. */
const spellingsOf = (text: string): string[] => [
  ...new Set([text, text.toLowerCase(), text.toUpperCase(), capitalized(text)].map(asciiLower)),
]

const limit = MATCHES_MAX + 1

type Rows = PromiseLike<{ id: string }[]>

async function cut(query: Rows): Promise<OrderMatches> {
  const ids = (await query).map(({ id }) => id)
  return { ids: ids.slice(0, MATCHES_MAX), isCut: ids.length > MATCHES_MAX }
}

/**
 * Returns the parts of a name that have an index, and the conditions of these partial indexes. They contain
 * literals, because SQLite requires the same condition in a query.
 */
function namePartsOf({ dialect }: Db, name: SQLWrapper) {
  const spaceIn = (text: SQLWrapper) => dialect.position(text, sql`' '`)
  const afterFirst = sql`substr(${name}, ${spaceIn(name)} + 1)`
  const afterLast = sql`substr(${name}, length(rtrim(${name}, replace(${name}, ' ', ''))) + 1)`
  return [
    { part: sql`${name}`, hasPart: sql`${name} <> ''` },
    { part: afterFirst, hasPart: sql`${spaceIn(name)} > 0` },
    { part: afterLast, hasPart: sql`${spaceIn(afterFirst)} > 0` },
  ]
}

function byOwnColumns(db: Db, merchantId: string, text: string): Promise<OrderMatches>[] {
  const owner = eq(orders.merchantNumber, numberOfMerchant(merchantId))
  const { externalId, id } = orders
  const select = (condition: SQL | undefined) =>
    cut(db.select({ id }).from(orders).where(condition).limit(limit))
  const lower = text.toLowerCase()
  const found = spellingsOf(text).flatMap(spelling => [
    select(and(owner, startsWith(sql`lower(${externalId})`, spelling), isNotNull(externalId))),
    ...namePartsOf(db, orders.customerFullName).map(({ part, hasPart }) =>
      select(and(owner, startsWith(sql`lower(${part})`, spelling), hasPart)),
    ),
  ])
  if (UUID_START.test(lower)) {
    found.push(select(and(startsWith(sql`${id}`, lower), eq(orders.merchantId, merchantId))))
  }
  const ofAmount = idsOfAmount(db, merchantId, text)
  if (ofAmount) found.push(select(inArray(id, ofAmount)))
  return found
}

async function byCustomer(db: Db, merchantId: string, text: string): Promise<OrderMatches> {
  const known = await db
    .select({ id: customers.id })
    .from(customers)
    .where(and(eq(customers.merchantId, merchantId), startsWith(sql`${customers.emailKey}`, emailKey(text))))
    .limit(CUSTOMERS_MAX + 1)
  const found: OrderMatches = { ids: [], isCut: known.length > CUSTOMERS_MAX }
  for (const { id } of known.slice(0, CUSTOMERS_MAX)) {
    const query = db
      .select({ id: orders.id })
      .from(orders)
      .where(eq(orders.customerId, id))
      .orderBy(desc(orders.createdAt))
      .limit(limit)
    const own = await cut(query)
    found.ids.push(...own.ids)
    if (own.isCut || found.ids.length > MATCHES_MAX) return { ids: found.ids, isCut: true }
  }
  return found
}

/** Restricts rows to a merchant, but without an index on it, which would read all rows of the merchant. */
const isOf = (column: SQLiteColumn, merchantId: string): SQL => sql`${unindexed(column)} = ${merchantId}`

/** Returns the spellings of an address or a transaction, which people may copy without its prefix. */
const hashSpellings = (text: string): string[] =>
  /^[0-9a-f]+$/i.test(text) ? [...txSpellings(text), `0x${text.toLowerCase()}`] : txSpellings(text)

const isHash = (text: string): boolean => text.length >= HASH_MIN && HASH.test(text)

function byPayment(db: Db, merchantId: string, text: string): Promise<OrderMatches>[] {
  if (!isHash(text)) return []
  const find = (table: typeof attempts | typeof incomingPayments | typeof transactions, condition?: SQL) =>
    cut(
      db
        .select({ id: table.orderId })
        .from(table)
        .where(and(isOf(table.merchantId, merchantId), condition))
        .limit(limit),
    )
  const { address } = attempts
  const { txId, txIn, txOut } = incomingPayments
  const spellings = hashSpellings(text)
  return [...new Set(spellings.map(asciiLower))]
    .map(spelling => find(attempts, and(startsWith(sql`lower(${address})`, spelling), isNotNull(address))))
    .concat(
      spellings.flatMap(spelling => [
        ...[txId, txIn, txOut].map(column => find(incomingPayments, startsWith(sql`${column}`, spelling))),
        find(transactions, startsWith(sql`${transactions.txOut}`, spelling)),
      ]),
    )
}

/**
 * Finds orders by a text of unknown kind. Each field has an index for its beginning. Text inside an order's
 * number, or inside the name of what was sold, is in no index, so orders are compared only if nothing else
 * matches.
 */
export async function matchOrders(db: Db, merchantId: string, text: string): Promise<OrderMatches> {
  const found = await Promise.all([
    ...byOwnColumns(db, merchantId, text),
    byCustomer(db, merchantId, text),
    ...byPayment(db, merchantId, text),
  ])
  const ids = [...new Set(found.flatMap(one => one.ids))]
  if (ids.length === 0) return cut(selectByPart(db, merchantId, spellingsOf(text)).limit(limit))
  return {
    ids: ids.slice(0, MATCHES_MAX),
    isCut: ids.length > MATCHES_MAX || found.some(({ isCut }) => isCut),
  }
}

const beginsWith = (value: SQLWrapper, spellings: string[]): SQL | undefined =>
  or(...spellings.map(spelling => startsWith(sql`${value}`, spelling)))

type Searched = Pick<
  typeof orders,
  | ('id' | 'externalId' | 'customerFullName' | 'customerId')
  | ('productName' | 'description' | 'amount' | 'currency')
>

/** True if an address or transaction of the order begins with the text. */
function hasHash(db: Db, { id }: Pick<Searched, 'id'>, text: string): SQL | undefined {
  const one = { one: sql<number>`1`.as('one') }
  const has = (table: typeof attempts | typeof incomingPayments | typeof transactions, condition?: SQL) =>
    exists(
      db
        .select(one)
        .from(table)
        .where(and(eq(table.orderId, id), condition)),
    )
  const { txId, txIn, txOut } = incomingPayments
  const spellings = hashSpellings(text)
  return or(
    has(attempts, beginsWith(sql`lower(${attempts.address})`, spellings.map(asciiLower))),
    has(incomingPayments, or(...[txId, txIn, txOut].map(column => beginsWith(column, spellings)))),
    has(transactions, beginsWith(transactions.txOut, spellings)),
  )
}

/** True if `matchOrders` would find the order. For orders that are read anyway. */
export function hasText(db: Db, order: Searched, text: string): SQL | undefined {
  const lower = text.toLowerCase()
  const spellings = spellingsOf(text)
  const one = { one: sql<number>`1`.as('one') }
  const isOfCustomer = and(
    eq(customers.id, order.customerId),
    startsWith(sql`${customers.emailKey}`, emailKey(text)),
  )
  return or(
    beginsWith(sql`lower(${order.externalId})`, spellings),
    ...namePartsOf(db, order.customerFullName).map(({ part }) => beginsWith(sql`lower(${part})`, spellings)),
    UUID_START.test(lower) ? startsWith(sql`${order.id}`, lower) : undefined,
    exists(db.select(one).from(customers).where(isOfCustomer)),
    hasPart(db, order, spellings),
    hasAmount(db, order, text),
    isHash(text) ? hasHash(db, order, text) : undefined,
  )
}
