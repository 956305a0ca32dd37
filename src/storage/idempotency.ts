import { and, eq } from 'drizzle-orm'
import type { Db } from './db.ts'
import type { IdempotencyKeys } from './port.ts'
import { given, inserting, once } from './prepared.ts'
import { first } from './rows.ts'
import { idempotencyKeys as keys } from './schema.ts'

export function idempotencyTable(db: Db): IdempotencyKeys {
  const used = once(() =>
    db
      .select()
      .from(keys)
      .where(
        and(
          eq(keys.merchantId, given('merchantId')),
          eq(keys.operation, given('operation')),
          eq(keys.key, given('key')),
        ),
      )
      .prepare(),
  )
  return {
    find: async (merchantId, operation, key) => first(await used().execute({ merchantId, operation, key })),
    insert: inserting(db, keys),
  }
}
