import { and, asc, eq, gt } from 'drizzle-orm'
import type { PaymentMails } from '../port.ts'
import { paymentMails } from '../schema/index.ts'
import type { Db } from './db.ts'
import { first } from './results.ts'
import { insertInto } from './statements.ts'

export const paymentMailsTable = (db: Db): PaymentMails => ({
  find: async id => first(await db.select().from(paymentMails).where(eq(paymentMails.id, id))),
  listOf: async orderId =>
    db
      .select()
      .from(paymentMails)
      .where(eq(paymentMails.orderId, orderId))
      .orderBy(asc(paymentMails.dueAt), asc(paymentMails.id)),
  async countTo(mailboxHash, after, limit) {
    const found = await db
      .select({ at: paymentMails.dueAt })
      .from(paymentMails)
      .where(and(eq(paymentMails.mailboxHash, mailboxHash), gt(paymentMails.dueAt, after)))
      .limit(limit)
    return found.length
  },
  insert: insertInto(db, paymentMails),
  async update(id, change) {
    await db.update(paymentMails).set(change).where(eq(paymentMails.id, id))
  },
})
