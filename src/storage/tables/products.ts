import { and, desc, eq } from 'drizzle-orm'
import type { Images, Products } from '../port.ts'
import { productImages, products } from '../schema/index.ts'
import type { Db } from './db.ts'
import { olderThan } from './keyset.ts'
import { first } from './results.ts'
import { insertInto } from './statements.ts'

export const productsTable = (db: Db): Products => ({
  find: async id => first(await db.select().from(products).where(eq(products.id, id))),
  list: (merchantId, limit, after) =>
    db
      .select()
      .from(products)
      .where(and(eq(products.merchantId, merchantId), olderThan(products.updatedAt, products.id, after)))
      .orderBy(desc(products.updatedAt), desc(products.id))
      .limit(limit),
  insert: insertInto(db, products),
  async update(id, change) {
    await db.update(products).set(change).where(eq(products.id, id))
  },
})

export const imagesTable = (db: Db): Images => ({
  find: async id => first(await db.select().from(productImages).where(eq(productImages.id, id))),
  async insertIfNew(image) {
    await db.insert(productImages).values(image).onConflictDoNothing()
  },
})
