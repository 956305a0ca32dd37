import { eq } from 'drizzle-orm'
import type { Db } from './db.ts'
import type { Webhooks } from './port.ts'
import { first } from './rows.ts'
import { webhooks } from './schema.ts'

export const webhooksTable = (db: Db): Webhooks => ({
  find: async merchantId =>
    first(await db.select().from(webhooks).where(eq(webhooks.merchantId, merchantId))),
  async put(webhook) {
    await db.insert(webhooks).values(webhook).onConflictDoUpdate({ target: webhooks.id, set: webhook })
  },
})
