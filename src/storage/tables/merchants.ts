import { asc, eq } from 'drizzle-orm'
import { emailKey } from '../../domain/merchant.ts'
import type { Merchants } from '../port.ts'
import { merchants } from '../schema/index.ts'
import type { Db } from './db.ts'
import { first } from './results.ts'
import { insertInto, lazy, param } from './statements.ts'

export function merchantsTable(db: Db): Merchants {
  const byId = lazy(() =>
    db
      .select()
      .from(merchants)
      .where(eq(merchants.id, param('id')))
      .prepare(),
  )
  const insert = insertInto(db, merchants)
  return {
    find: async id => first(await byId().execute({ id })),
    findByEmail: async email =>
      first(
        await db
          .select()
          .from(merchants)
          .where(eq(merchants.emailKey, emailKey(email))),
      ),
    list: async () => db.select().from(merchants).orderBy(asc(merchants.createdAt), asc(merchants.id)),
    insert: merchant => insert({ ...merchant, emailKey: emailKey(merchant.email) }),
    update: async (id, change) =>
      first(await db.update(merchants).set(change).where(eq(merchants.id, id)).returning()),
  }
}
