import { desc, or, type SQL, type SQLWrapper, sql } from 'drizzle-orm'
import { amountIn } from '../../domain/order-text.ts'
import { orders } from '../schema/index.ts'
import type { Db } from './db.ts'
import { numberOfMerchant } from './order-columns.ts'
import { isOf, key, sizedAmount } from './order-filters.ts'

/** Max orders of a merchant that are searched for a part, the newest first, because no index finds parts. */
const COMPARED_MAX = 10_000
/** Min length of a part. Shorter texts are in most orders. */
const PART_MIN = 3

type Compared = Record<'externalId' | 'productName' | 'description', SQLWrapper>

/** Matches an address or a transaction, which no number of an order contains. */
const NO_PART = /@|^0x|^\S{24,}$/i

/** True if a text is a part of an order's number, or of the name of what was sold. */
export function hasPart({ dialect }: Db, row: Compared, spellings: readonly string[]): SQL | undefined {
  const long = spellings.filter(text => text.length >= PART_MIN && !NO_PART.test(text))
  if (long.length === 0) return sql`1 = 0`
  const { externalId, productName, description } = row
  const columns = [externalId, productName, description].map(column => sql`coalesce(${column}, '')`)
  // Columns are separated by line breaks. A search text has none, so it cannot match across two columns.
  const all = sql`lower(${sql.join(columns, sql` || '\n' || `)})`
  return or(...long.map(text => sql`${dialect.position(all, sql`${text}`)} > 0`))
}

/** Selects the newest orders of a merchant whose number or name of what was sold contains a text. */
export function selectByPart(db: Db, merchantId: string, spellings: readonly string[]) {
  const { id, externalId, productName, description } = orders
  const newest = db
    .select({ id, externalId, productName, description })
    .from(orders)
    .where(isOf(merchantId))
    .orderBy(desc(key.at), desc(key.id))
    .limit(COMPARED_MAX)
    .as('newest')
  return db
    .select({ id: newest.id })
    .from(newest)
    .where(hasPart(db, newest, spellings))
    .$dynamic()
}

/** Returns the currencies and amounts that a text may mean, as JSON; undefined if it is not an amount. */
function sumsIn(text: string): string | undefined {
  const sums = amountIn(text).map(({ currency, amount }) => [currency, sizedAmount.value(amount)])
  return sums.length === 0 ? undefined : JSON.stringify(sums)
}

/** True if the order has an amount that the text may mean; undefined if the text is not an amount. */
export function hasAmount(
  db: Db,
  row: Record<'amount' | 'currency', SQLWrapper>,
  text: string,
): SQL | undefined {
  const sums = sumsIn(text)
  const { pairsOf } = db.dialect
  if (sums === undefined) return undefined
  return sql`(${row.currency}, ${sizedAmount.of(db, row.amount)}) IN ${pairsOf(sql`${sums}`)}`
}

/** The IDs of a merchant's orders with an amount that a text may mean; undefined if it is not an amount. */
export function idsOfAmount(db: Db, merchantId: string, text: string): SQL | undefined {
  const sums = sumsIn(text)
  const size = sizedAmount.of(db, sql`few.amount`)
  // The query begins with the few amounts, and uses `>=` and `<=` for equality: otherwise, SQLite would
  // choose an index of all orders.
  if (sums === undefined) return undefined
  return sql`(WITH sum(currency, size) AS ${db.dialect.pairsOf(sql`${sums}`)}
SELECT few.id FROM sum CROSS JOIN ${orders} AS few
WHERE few.merchant_number = ${numberOfMerchant(merchantId)} AND few.currency = sum.currency
AND ${size} >= sum.size AND ${size} <= sum.size)`
}
