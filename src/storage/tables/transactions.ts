import { and, asc, desc, eq } from 'drizzle-orm'
import type { Refund } from '../../domain/refund.ts'
import type { Refunds, Reversals, Transactions, TransactionWithOrder } from '../port.ts'
import { orders, refunds, reversals, settlements, transactions } from '../schema/index.ts'
import type { Db } from './db.ts'
import { olderThan } from './keyset.ts'
import { orderColumns } from './order-columns.ts'
import { byShape, changed, first, insertInto, lazy, limitParam, param } from './statements.ts'

export function transactionsTable(db: Db): Transactions {
  const withOrders = () =>
    db
      .select({ transaction: transactions, order: orderColumns })
      .from(transactions)
      .innerJoin(orders, eq(orders.id, transactions.orderId))
  const byId = lazy(() =>
    withOrders()
      .where(eq(transactions.id, param('id')))
      .prepare(),
  )
  const settlementOf = lazy(() =>
    db
      .select()
      .from(settlements)
      .where(eq(settlements.orderId, param('orderId')))
      .prepare(),
  )
  const listed = byShape<Record<string, unknown>, Promise<TransactionWithOrder[]>>(has =>
    withOrders()
      .where(
        and(
          eq(transactions.merchantId, param('merchantId')),
          has('status') ? eq(transactions.status, param('status')) : undefined,
          has('orderId') ? eq(transactions.orderId, param('orderId')) : undefined,
          has('at') ? olderThan(transactions.createdAt, transactions.id) : undefined,
        ),
      )
      .orderBy(desc(transactions.createdAt), desc(transactions.id))
      .limit(limitParam())
      .prepare(),
  )
  return {
    find: async id => first(await byId().execute({ id })),
    list: ({ merchantId, status, orderId }, limit, after) =>
      listed({ merchantId, status, orderId, limit, ...after }),
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
    findSettlement: async orderId => first(await settlementOf().execute({ orderId })),
    insertSettlement: insertInto(db, settlements),
  }
}

export function refundsTable(db: Db): Refunds {
  const listed = byShape<Record<string, unknown>, Promise<Refund[]>>(has =>
    db
      .select()
      .from(refunds)
      .where(
        and(
          eq(refunds.orderId, param('orderId')),
          has('at') ? olderThan(refunds.createdAt, refunds.id) : undefined,
        ),
      )
      .orderBy(desc(refunds.createdAt), desc(refunds.id))
      .limit(limitParam())
      .prepare(),
  )
  return {
    find: async id => first(await db.select().from(refunds).where(eq(refunds.id, id))),
    list: (orderId, limit, after) => listed({ orderId, limit, ...after }),
    insert: insertInto(db, refunds),
  }
}

export function reversalsTable(db: Db): Reversals {
  const ofOrder = lazy(() =>
    db
      .select()
      .from(reversals)
      .where(eq(reversals.orderId, param('orderId')))
      .orderBy(asc(reversals.createdAt), asc(reversals.id))
      .prepare(),
  )
  return {
    find: async id => first(await db.select().from(reversals).where(eq(reversals.id, id))),
    listOf: async orderId => ofOrder().execute({ orderId }),
    insert: insertInto(db, reversals),
    async update(id, change) {
      await db.update(reversals).set(change).where(eq(reversals.id, id))
    },
  }
}
