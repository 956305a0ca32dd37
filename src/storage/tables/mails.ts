import { and, asc, eq, gt } from 'drizzle-orm'
import type { BuyerMails, PaymentMails } from '../port.ts'
import { buyerMails, paymentMails } from '../schema/index.ts'
import type { Db } from './db.ts'
import { first, insertInto } from './statements.ts'

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
