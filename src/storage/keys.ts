import { and, asc, eq, isNull } from 'drizzle-orm'
import type { Db } from './db.ts'
import type { Keys } from './port.ts'
import { changed, first } from './rows.ts'
import { keys } from './schema.ts'

export const keysTable = (db: Db): Keys => ({
  find: async id => first(await db.select().from(keys).where(eq(keys.id, id))),
  listOf: async merchantId =>
    db.select().from(keys).where(eq(keys.merchantId, merchantId)).orderBy(asc(keys.createdAt), asc(keys.id)),
  async insert(key) {
    await db.insert(keys).values(key)
  },
  revoke: async (id, at) =>
    changed(
      await db
        .update(keys)
        .set({ revokedAt: at })
        .where(and(eq(keys.id, id), isNull(keys.revokedAt)))
        .returning({ id: keys.id }),
    ),
})
