import { eq } from 'drizzle-orm'
import type { Catalogues, CoinCatalogues } from '../port.ts'
import { catalogues, coinCatalogues } from '../schema/index.ts'
import type { Db } from './db.ts'
import { first } from './results.ts'
import { lazy, param, putInto } from './statements.ts'

export function cataloguesTable(db: Db): Catalogues {
  const ofProvider = lazy(() =>
    db
      .select()
      .from(catalogues)
      .where(eq(catalogues.provider, param('provider')))
      .prepare(),
  )
  return {
    find: async provider => first(await ofProvider().execute({ provider })),
    put: putInto(db, catalogues, catalogues.provider),
  }
}

export function coinCataloguesTable(db: Db): CoinCatalogues {
  const ofProvider = lazy(() =>
    db
      .select()
      .from(coinCatalogues)
      .where(eq(coinCatalogues.provider, param('provider')))
      .prepare(),
  )
  return {
    find: async provider => first(await ofProvider().execute({ provider })),
    put: putInto(db, coinCatalogues, coinCatalogues.provider),
  }
}
