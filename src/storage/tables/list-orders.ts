import { and, desc, eq, gte, lt, type SQL, sql } from 'drizzle-orm'
import type { PageStart } from '../../domain/page.ts'
import type { OrderFilter, Orders, OrderWithSession } from '../port.ts'
import { orders } from '../schema/index.ts'
import type { Db } from './db.ts'
import { olderThan, unindexed, unindexedNumber, upperBound } from './keyset.ts'
import { isExternalId, numberOfMerchant, orderWithSession } from './order-columns.ts'
import { byShape, lazy, limitParam, param } from './statements.ts'

/**
 * Max orders of a product that are read by its own index. A product with more orders has some among the
 * newest of its shop, which are then read in order.
 */
const FEW_MAX = 1000
/** Max changed orders that are sorted for a page. Sorting them takes about 10 ms. */
const CHANGED_MAX = 2000

type OrderQuery = (values: Record<string, unknown>) => Promise<OrderWithSession[]>

const { createdAt, id, updatedAt, merchantNumber, status, productId, customerId } = orders

/** Returns the query of a list of orders. Its values include `isFew` if the product has few orders. */
function listBy(db: Db): OrderQuery {
  return byShape(has => {
    const number = numberOfMerchant(param('merchantId'))
    // Orders of one customer have an index of their own, and so do those of a product that has few.
    const isNarrow = has('customerId') || has('isFew')
    return db
      .select(orderWithSession)
      .from(orders)
      .where(
        and(
          isNarrow ? eq(unindexedNumber(merchantNumber), number) : eq(merchantNumber, number),
          has('status') ? eq(status, param('status')) : undefined,
          has('externalId') ? isExternalId(db, param('externalId')) : undefined,
          has('customerId') ? eq(customerId, param('customerId')) : undefined,
          has('productId') ? eq(productId, param('productId')) : undefined,
          has('createdTo') ? lt(createdAt, param('createdTo')) : undefined,
          has('at') ? olderThan(createdAt, id) : undefined,
        ),
      )
      .orderBy(desc(createdAt), desc(id))
      .limit(limitParam())
      .prepare()
  })
}

const changedSince = (from: SQL): SQL | undefined =>
  and(
    eq(merchantNumber, numberOfMerchant(param('merchantId'))),
    gte(updatedAt, from),
    // A literal, not a parameter: SQLite uses a partial index only if the query repeats its condition.
    sql`${updatedAt} > ${createdAt}`,
  )

/** Returns true if more than CHANGED_MAX orders of a merchant were changed since a time. */
function manyChanged(db: Db): (values: Record<string, unknown>) => Promise<boolean> {
  const beyond = lazy(() =>
    db
      .select({ updatedAt })
      .from(orders)
      .where(changedSince(param('from')))
      .orderBy(updatedAt)
      .limit(1)
      .offset(CHANGED_MAX)
      .prepare(),
  )
  return async values => (await beyond().execute(values)).length > 0
}

function listChangedBy(db: Db): OrderQuery {
  const at = unindexedNumber(createdAt)
  return byShape(has =>
    db
      .select(orderWithSession)
      .from(orders)
      .where(
        and(
          changedSince(param('from')),
          lt(at, param('before')),
          has('status') ? eq(unindexed(status), param('status')) : undefined,
          has('productId') ? eq(unindexed(productId), param('productId')) : undefined,
          has('at') ? sql`(${at}, ${id}) < (${param('at')}, ${param('id')})` : undefined,
        ),
      )
      .orderBy(desc(at), desc(id))
      .limit(limitParam())
      .prepare(),
  )
}

/** Returns the methods that list orders for the API. */
export function orderLists(db: Db): Pick<Orders, 'list' | 'listChanged'> {
  const listed = listBy(db)
  const [isMany, changed] = [manyChanged(db), listChangedBy(db)]
  const manyOfProduct = lazy(() =>
    db
      .select({ id })
      .from(orders)
      .where(eq(productId, param('productId')))
      .limit(1)
      .offset(FEW_MAX)
      .prepare(),
  )

  async function isFew({ productId: product, customerId: customer, externalId }: OrderFilter) {
    if (product === undefined || customer !== undefined || externalId !== undefined) return undefined
    const found = await manyOfProduct().execute({ productId: product })
    return found.length === 0 || undefined
  }

  return {
    async list(filter: OrderFilter, limit: number, after: PageStart | null) {
      const { createdTo, createdFrom = 0, ...equal } = filter
      const rows = await listed({
        ...{ ...equal, limit, isFew: await isFew(filter) },
        ...upperBound(createdTo, after),
      })
      // The reason why `createdFrom` is not in the query is at `upperBound`. Orders that are too old come
      // last.
      return rows.filter(({ order }) => order.createdAt >= createdFrom)
    },
    async listChanged({ merchantId, createdFrom = 0, createdTo, ...equal }, from, limit, after) {
      if (await isMany({ merchantId, from })) return null
      const before = Math.min(from, createdTo ?? from)
      const rows = await changed({ ...equal, merchantId, from, before, limit, ...after })
      return rows.filter(({ order }) => order.createdAt >= createdFrom)
    },
  }
}
