import { and, eq } from 'drizzle-orm'
import type { ProviderAccounts } from '../port.ts'
import { providerAccounts } from '../schema/index.ts'
import type { Db } from './db.ts'
import { first } from './results.ts'

export const providerAccountsTable = (db: Db): ProviderAccounts => ({
  find: async (merchantId, provider) =>
    first(
      await db
        .select()
        .from(providerAccounts)
        .where(and(eq(providerAccounts.merchantId, merchantId), eq(providerAccounts.provider, provider))),
    ),
  async put(account) {
    const { credentials, updatedAt } = account
    await db
      .insert(providerAccounts)
      .values(account)
      .onConflictDoUpdate({
        target: [providerAccounts.merchantId, providerAccounts.provider],
        set: { credentials, updatedAt },
      })
  },
})
