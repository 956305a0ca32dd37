import { and, asc, eq, gt } from 'drizzle-orm'
import type { BuyerMails } from '../port.ts'
import { buyerMails } from '../schema/index.ts'
import type { Db } from './db.ts'
import { first } from './results.ts'

export const buyerMailsTable = (db: Db): BuyerMails => ({
  find: async id => first(await db.select().from(buyerMails).where(eq(buyerMails.id, id))),
  listOf: async orderId =>
    db
      .select()
      .from(buyerMails)
      .where(eq(buyerMails.orderId, orderId))
      .orderBy(asc(buyerMails.createdAt), asc(buyerMails.id)),
  async countTo(mailbox, kind, after, limit) {
    const found = await db
      .select({ at: buyerMails.createdAt })
      .from(buyerMails)
      .where(and(eq(buyerMails.mailbox, mailbox), eq(buyerMails.kind, kind), gt(buyerMails.createdAt, after)))
      .limit(limit)
    return found.length
  },
  async insertIfNew(mail) {
    const inserted = await db
      .insert(buyerMails)
      .values(mail)
      .onConflictDoNothing()
      .returning({ id: buyerMails.id })
    return inserted.length > 0
  },
  async update(id, change) {
    await db.update(buyerMails).set(change).where(eq(buyerMails.id, id))
  },
})
