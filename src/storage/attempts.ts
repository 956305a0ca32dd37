import { and, asc, eq, or } from 'drizzle-orm'
import type { Db } from './db.ts'
import type { Attempts, Receipts } from './port.ts'
import { first } from './rows.ts'
import { attempts, receipts } from './schema.ts'

export const attemptsTable = (db: Db): Attempts => ({
  find: async id => first(await db.select().from(attempts).where(eq(attempts.id, id))),
  listOf: async orderId =>
    db
      .select()
      .from(attempts)
      .where(eq(attempts.orderId, orderId))
      .orderBy(asc(attempts.createdAt), asc(attempts.id)),
  async insert(attempt) {
    await db.insert(attempts).values(attempt)
  },
  async update(id, change) {
    await db.update(attempts).set(change).where(eq(attempts.id, id))
  },
})

export const receiptsTable = (db: Db): Receipts => ({
  listOf: async attemptId =>
    db
      .select()
      .from(receipts)
      .where(eq(receipts.attemptId, attemptId))
      .orderBy(asc(receipts.createdAt), asc(receipts.id)),
  findByTx: async (source, txId, txIn, txIndex) =>
    first(
      await db
        .select()
        .from(receipts)
        .where(
          and(
            eq(receipts.source, source),
            eq(receipts.txIndex, txIndex),
            or(eq(receipts.txId, txId), txIn === null ? undefined : eq(receipts.txIn, txIn)),
          ),
        ),
    ),
  async insert(receipt) {
    await db.insert(receipts).values(receipt)
  },
  async update(id, change) {
    await db.update(receipts).set(change).where(eq(receipts.id, id))
  },
})
