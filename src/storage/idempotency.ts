import { and, eq } from 'drizzle-orm'
import type { Db } from './db.ts'
import type { IdempotencyKeys } from './port.ts'
import { first } from './rows.ts'
import { idempotencyKeys as keys } from './schema.ts'

export const idempotencyTable = (db: Db): IdempotencyKeys => ({
  find: async (merchantId, operation, key) =>
    first(
      await db
        .select()
        .from(keys)
        .where(and(eq(keys.merchantId, merchantId), eq(keys.operation, operation), eq(keys.key, key))),
    ),
  async insert(key) {
    await db.insert(keys).values(key)
  },
})
