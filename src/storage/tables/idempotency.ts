import { and, eq } from 'drizzle-orm'
import type { IdempotencyKeys } from '../port.ts'
import { idempotencyKeys as keys } from '../schema/index.ts'
import type { Db } from './db.ts'
import { changed, first } from './results.ts'
import { columnParams, conflictOn, insertInto, lazy, param } from './statements.ts'

export function idempotencyTable(db: Db): IdempotencyKeys {
  const used = lazy(() =>
    db
      .select()
      .from(keys)
      .where(
        and(
          eq(keys.merchantId, param('merchantId')),
          eq(keys.operation, param('operation')),
          eq(keys.key, param('key')),
        ),
      )
      .prepare(),
  )
  const insertNew = lazy(() =>
    db
      .insert(keys)
      .values(columnParams(keys))
      .onConflictDoNothing({ target: conflictOn(keys.merchantId, keys.operation, keys.key) })
      .returning({ key: keys.key })
      .prepare(),
  )
  return {
    find: async (merchantId, operation, key) => first(await used().execute({ merchantId, operation, key })),
    insert: insertInto(db, keys),
    insertNew: async key => changed(await insertNew().execute({ ...key })),
  }
}
