import { and, eq } from 'drizzle-orm'
import type { ProviderAccounts } from '../port.ts'
import { providerAccounts } from '../schema/index.ts'
import type { Db } from './db.ts'
import { first } from './results.ts'
import { conflictOn, lazy, param } from './statements.ts'

const isOf = and(
  eq(providerAccounts.merchantId, param('merchantId')),
  eq(providerAccounts.provider, param('provider')),
)

export function providerAccountsTable(db: Db): ProviderAccounts {
  const one = lazy(() => db.select().from(providerAccounts).where(isOf).prepare())
  return {
    find: async (merchantId, provider) => first(await one().execute({ merchantId, provider })),
    async put(account) {
      const { credentials, updatedAt } = account
      await db
        .insert(providerAccounts)
        .values(account)
        .onConflictDoUpdate({
          target: conflictOn(providerAccounts.merchantId, providerAccounts.provider),
          set: { credentials, updatedAt },
        })
    },
  }
}
