import { desc, or, type SQL, type SQLWrapper, sql } from 'drizzle-orm'
import { amountIn } from '../../domain/order-text.ts'
import { orders } from '../schema/index.ts'
import type { Db } from './db.ts'
import { numberOfMerchant } from './order-columns.ts'
import { isOf, key, sizedAmount } from './order-filters.ts'

/** Max orders of a merchant whose parts are compared, the newest first: no index finds a part. */
const COMPARED_MAX = 10_000
/** Fewer characters are in most orders. */
const PART_MIN = 3

type Compared = Record<'externalId' | 'productName' | 'description', SQLWrapper>

/** An address or a transaction, which no number of an order contains. */
const NO_PART = /@|^0x|^\S{24,}$/i

/** True if a text is a part of an order's number, or of the name of what was sold. */
export function hasPart({ dialect }: Db, row: Compared, spellings: readonly string[]): SQL | undefined {
  const long = spellings.filter(text => text.length >= PART_MIN && !NO_PART.test(text))
  if (long.length === 0) return sql`1 = 0`
  const { externalId, productName, description } = row
  const columns = [externalId, productName, description].map(column => sql`coalesce(${column}, '')`)
  // A search text has no line breaks, so that none spans two columns.
  const all = sql`lower(${sql.join(columns, sql` || '\n' || `)})`
  return or(...long.map(text => sql`${dialect.position(all, sql`${text}`)} > 0`))
}

/** The newest orders of a merchant of which a text is a part. */
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

/** The currencies and amounts that a text may mean, as JSON; undefined if it means none. */
function sumsIn(text: string): string | undefined {
  const sums = amountIn(text).map(({ currency, amount }) => [currency, sizedAmount.value(amount)])
  return sums.length === 0 ? undefined : JSON.stringify(sums)
}

/** True if the order is of the amount that a text means; undefined if it means none. */
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

/** The IDs of a merchant's orders of the amount that a text means; undefined if it means none. */
export function idsOfAmount(db: Db, merchantId: string, text: string): SQL | undefined {
  const sums = sumsIn(text)
  const size = sizedAmount.of(db, sql`few.amount`)
  // Begins with the few sums, and compares twice: else SQLite would choose an index of all orders.
  if (sums === undefined) return undefined
  return sql`(WITH sum(currency, size) AS ${db.dialect.pairsOf(sql`${sums}`)}
SELECT few.id FROM sum CROSS JOIN ${orders} AS few
WHERE few.merchant_number = ${numberOfMerchant(merchantId)} AND few.currency = sum.currency
AND ${size} >= sum.size AND ${size} <= sum.size)`
}
