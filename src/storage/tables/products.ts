import { and, desc, eq, sql } from 'drizzle-orm'
import type { Product } from '../../domain/product.ts'
import type { Images, Products } from '../port.ts'
import { orders, productImages, products } from '../schema/index.ts'
import type { Db } from './db.ts'
import { olderThan } from './keyset.ts'
import { byShape, first, insertInto, lazy, limitParam, param } from './statements.ts'

const hasName = ({ dialect }: Db) =>
  sql`${dialect.position(sql`lower(${products.name})`, dialect.lower(param('name')))} > 0`

export function productsTable(db: Db): Products {
  const byId = lazy(() =>
    db
      .select()
      .from(products)
      .where(eq(products.id, param('id')))
      .prepare(),
  )
  const listed = byShape<Record<string, unknown>, Promise<Product[]>>(has =>
    db
      .select()
      .from(products)
      .where(
        and(
          eq(products.merchantId, param('merchantId')),
          has('at') ? olderThan(products.updatedAt, products.id) : undefined,
        ),
      )
      .orderBy(desc(products.updatedAt), desc(products.id))
      .limit(limitParam())
      .prepare(),
  )
  const browsed = byShape<Record<string, unknown>, Promise<Product[]>>(has =>
    db
      .select()
      .from(products)
      .where(
        and(
          eq(products.merchantId, param('merchantId')),
          has('name') ? hasName(db) : undefined,
          has('active') ? eq(products.active, sql`${param('active')}`) : undefined,
          has('at') ? olderThan(products.updatedAt, products.id) : undefined,
        ),
      )
      .orderBy(desc(products.updatedAt), desc(products.id))
      .limit(limitParam())
      .prepare(),
  )
  const counted = lazy(() =>
    db
      .select({ id: orders.id })
      .from(orders)
      .where(eq(orders.productId, param('id')))
      .limit(limitParam())
      .prepare(),
  )
  return {
    browse: ({ active, name, merchantId }, limit, after) =>
      browsed({
        merchantId,
        name: name || undefined,
        active: active === undefined ? undefined : Number(active),
        limit,
        ...after,
      }),
    countOrders: async (id, limit) => (await counted().execute({ id, limit })).length,
    find: async id => first(await byId().execute({ id })),
    list: (merchantId, limit, after) => listed({ merchantId, limit, ...after }),
    insert: insertInto(db, products),
    async update(id, change) {
      await db.update(products).set(change).where(eq(products.id, id))
    },
  }
}

export const imagesTable = (db: Db): Images => ({
  find: async id => first(await db.select().from(productImages).where(eq(productImages.id, id))),
  async insertIfNew(image) {
    await db.insert(productImages).values(image).onConflictDoNothing()
  },
})
