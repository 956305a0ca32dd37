import { and, desc, eq } from 'drizzle-orm'
import type { Transactions } from '../port.ts'
import { orders, settlements, transactions } from '../schema/index.ts'
import type { Db } from './db.ts'
import { olderThan } from './keyset.ts'
import { changed, first } from './results.ts'
import { insertInto } from './statements.ts'

export function transactionsTable(db: Db): Transactions {
  const withOrders = () =>
    db
      .select({ transaction: transactions, order: orders })
      .from(transactions)
      .innerJoin(orders, eq(orders.id, transactions.orderId))
  return {
    find: async id => first(await withOrders().where(eq(transactions.id, id))),
    list: ({ merchantId, status, orderId }, limit, after) =>
      withOrders()
        .where(
          and(
            eq(transactions.merchantId, merchantId),
            status && eq(transactions.status, status),
            orderId === undefined ? undefined : eq(transactions.orderId, orderId),
            olderThan(transactions.createdAt, transactions.id, after),
          ),
        )
        .orderBy(desc(transactions.createdAt), desc(transactions.id))
        .limit(limit),
    insert: insertInto(db, transactions),
    refund: async (id, refundCount, change) =>
      changed(
        await db
          .update(transactions)
          .set(change)
          .where(and(eq(transactions.id, id), eq(transactions.refundCount, refundCount)))
          .returning({ id: transactions.id }),
      ),
    async setTxOut(id, txOut, at) {
      await db.update(transactions).set({ txOut, updatedAt: at }).where(eq(transactions.id, id))
    },
    findSettlement: async orderId =>
      first(await db.select().from(settlements).where(eq(settlements.orderId, orderId))),
    insertSettlement: insertInto(db, settlements),
  }
}
