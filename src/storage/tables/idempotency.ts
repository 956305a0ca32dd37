import { and, eq } from 'drizzle-orm'
import type { IdempotencyKeys } from '../port.ts'
import { idempotencyKeys as keys } from '../schema/index.ts'
import type { Db } from './db.ts'
import { first } from './results.ts'
import { given, inserting, once } from './statements.ts'

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
