import { asc, eq } from 'drizzle-orm'
import { emailKey } from '../domain/merchant.ts'
import type { Db } from './db.ts'
import type { Merchants } from './port.ts'
import { first } from './rows.ts'
import { merchants } from './schema.ts'

export const merchantsTable = (db: Db): Merchants => ({
  find: async id => first(await db.select().from(merchants).where(eq(merchants.id, id))),
  findByEmail: async email =>
    first(
      await db
        .select()
        .from(merchants)
        .where(eq(merchants.emailKey, emailKey(email))),
    ),
  list: async () => db.select().from(merchants).orderBy(asc(merchants.createdAt), asc(merchants.id)),
  async insert(merchant) {
    await db.insert(merchants).values({ ...merchant, emailKey: emailKey(merchant.email) })
  },
  update: async (id, change) =>
    first(await db.update(merchants).set(change).where(eq(merchants.id, id)).returning()),
})
