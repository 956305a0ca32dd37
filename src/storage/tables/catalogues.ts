import { eq } from 'drizzle-orm'
import type { Catalogues, CoinCatalogues } from '../port.ts'
import { catalogues, coinCatalogues } from '../schema/index.ts'
import type { Db } from './db.ts'
import { first } from './results.ts'

export const cataloguesTable = (db: Db): Catalogues => ({
  find: async provider => first(await db.select().from(catalogues).where(eq(catalogues.provider, provider))),
  async put(catalogue) {
    await db
      .insert(catalogues)
      .values(catalogue)
      .onConflictDoUpdate({ target: catalogues.provider, set: catalogue })
  },
})

export const coinCataloguesTable = (db: Db): CoinCatalogues => ({
  find: async provider =>
    first(await db.select().from(coinCatalogues).where(eq(coinCatalogues.provider, provider))),
  async put(catalogue) {
    await db
      .insert(coinCatalogues)
      .values(catalogue)
      .onConflictDoUpdate({ target: coinCatalogues.provider, set: catalogue })
  },
})
