import { and, desc, eq } from 'drizzle-orm'
import type { Refunds } from '../port.ts'
import { refunds } from '../schema/index.ts'
import type { Db } from './db.ts'
import { olderThan } from './keyset.ts'
import { first } from './results.ts'
import { insertInto } from './statements.ts'

export const refundsTable = (db: Db): Refunds => ({
  find: async id => first(await db.select().from(refunds).where(eq(refunds.id, id))),
  list: (orderId, limit, after) =>
    db
      .select()
      .from(refunds)
      .where(and(eq(refunds.orderId, orderId), olderThan(refunds.createdAt, refunds.id, after)))
      .orderBy(desc(refunds.createdAt), desc(refunds.id))
      .limit(limit),
  insert: insertInto(db, refunds),
})
