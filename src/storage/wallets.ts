import { eq } from 'drizzle-orm'
import type { Db } from './db.ts'
import type { Wallets } from './port.ts'
import { first } from './rows.ts'
import { wallets } from './schema.ts'

export const walletsTable = (db: Db): Wallets => ({
  find: async merchantId => first(await db.select().from(wallets).where(eq(wallets.merchantId, merchantId))),
  async put(wallet) {
    await db.insert(wallets).values(wallet).onConflictDoUpdate({ target: wallets.merchantId, set: wallet })
  },
})
