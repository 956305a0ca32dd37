import { eq } from 'drizzle-orm'
import type { Db } from './db.ts'
import type { Webhooks } from './port.ts'
import { given, once } from './prepared.ts'
import { first } from './rows.ts'
import { webhooks } from './schema.ts'

export function webhooksTable(db: Db): Webhooks {
  const ofMerchant = once(() =>
    db
      .select()
      .from(webhooks)
      .where(eq(webhooks.merchantId, given('merchantId')))
      .prepare(),
  )
  return {
    find: async merchantId => first(await ofMerchant().execute({ merchantId })),
    async put(webhook) {
      await db.insert(webhooks).values(webhook).onConflictDoUpdate({ target: webhooks.id, set: webhook })
    },
  }
}
