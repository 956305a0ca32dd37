import { eq } from 'drizzle-orm'
import type { Wallets } from '../port.ts'
import { wallets } from '../schema/index.ts'
import type { Db } from './db.ts'
import { first } from './results.ts'
import { lazy, param, putInto } from './statements.ts'

export function walletsTable(db: Db): Wallets {
  const ofMerchant = lazy(() =>
    db
      .select()
      .from(wallets)
      .where(eq(wallets.merchantId, param('merchantId')))
      .prepare(),
  )
  return {
    find: async merchantId => first(await ofMerchant().execute({ merchantId })),
    listAll: async () => db.select().from(wallets),
    put: putInto(db, wallets, wallets.merchantId),
  }
}
