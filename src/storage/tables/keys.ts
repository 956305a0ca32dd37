import { and, asc, eq, isNull, lte, or } from 'drizzle-orm'
import type { Keys } from '../port.ts'
import { keys } from '../schema/index.ts'
import type { Db } from './db.ts'
import { changed, first } from './results.ts'
import { insertInto, lazy, param, updateOf } from './statements.ts'

export function keysTable(db: Db): Keys {
  const byId = lazy(() =>
    db
      .select()
      .from(keys)
      .where(eq(keys.id, param('id')))
      .prepare(),
  )
  const isUnused = or(isNull(keys.lastUsedAt), lte(keys.lastUsedAt, param('unusedSince')))
  const update = updateOf<typeof keys, { id: string; unusedSince: number }>(
    db,
    keys,
    and(eq(keys.id, param('id')), isUnused),
  )
  return {
    find: async id => first(await byId().execute({ id })),
    listOf: async merchantId =>
      db
        .select()
        .from(keys)
        .where(eq(keys.merchantId, merchantId))
        .orderBy(asc(keys.createdAt), asc(keys.id)),
    insert: insertInto(db, keys),
    revoke: async (id, at) =>
      changed(
        await db
          .update(keys)
          .set({ revokedAt: at })
          .where(and(eq(keys.id, id), isNull(keys.revokedAt)))
          .returning({ id: keys.id }),
      ),
    replace: async (id, change) =>
      changed(
        await db
          .update(keys)
          .set(change)
          .where(and(eq(keys.id, id), isNull(keys.revokedAt), isNull(keys.replacedBy)))
          .returning({ id: keys.id }),
      ),
    recordUse: (id, at, unusedSince) => update({ id, unusedSince }, { lastUsedAt: at }),
  }
}
