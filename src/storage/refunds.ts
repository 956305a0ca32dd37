import { desc, eq } from 'drizzle-orm'
import type { Db } from './db.ts'
import type { Refunds } from './port.ts'
import { inserting } from './prepared.ts'
import { first } from './rows.ts'
import { refunds } from './schema.ts'

export const refundsTable = (db: Db): Refunds => ({
  find: async id => first(await db.select().from(refunds).where(eq(refunds.id, id))),
  listOf: orderId =>
    db
      .select()
      .from(refunds)
      .where(eq(refunds.orderId, orderId))
      .orderBy(desc(refunds.createdAt), desc(refunds.id)),
  insert: inserting(db, refunds),
})
