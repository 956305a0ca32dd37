import { and, asc, desc, eq, inArray } from 'drizzle-orm'
import type { UnmatchedPayments } from '../port.ts'
import { attempts, incomingPayments, orders, unmatchedPayments } from '../schema/index.ts'
import type { Db } from './db.ts'
import { changed, first } from './results.ts'
import { lazy, param } from './statements.ts'

type Reads = Pick<UnmatchedPayments, 'knownPayments' | 'find' | 'list' | 'listOf' | 'listOfAttempt'>

export const unmatchedTable = (db: Db): UnmatchedPayments => ({ ...reads(db), ...writes(db) })

function reads(db: Db): Reads {
  const ofOrder = lazy(() =>
    withPayments(db)
      .where(eq(unmatchedPayments.orderId, param('orderId')))
      .orderBy(asc(unmatchedPayments.createdAt), asc(unmatchedPayments.id))
      .prepare(),
  )
  return {
    async knownPayments(attemptId) {
      const rows = await db
        .select({ id: unmatchedPayments.incomingPaymentId })
        .from(unmatchedPayments)
        .where(eq(unmatchedPayments.attemptId, attemptId))
      return rows.map(({ id }) => id)
    },
    find: async id => first(await db.select().from(unmatchedPayments).where(eq(unmatchedPayments.id, id))),
    list: async (merchantId, limit) =>
      withPayments(db)
        .where(eq(unmatchedPayments.merchantId, merchantId))
        .orderBy(desc(unmatchedPayments.createdAt), desc(unmatchedPayments.id))
        .limit(limit),
    listOfAttempt: async attemptId =>
      withPayments(db)
        .where(eq(unmatchedPayments.attemptId, attemptId))
        .orderBy(asc(unmatchedPayments.createdAt), asc(unmatchedPayments.id)),
    listOf: async orderId => ofOrder().execute({ orderId }),
  }
}

const writes = (db: Db): Omit<UnmatchedPayments, keyof Reads> => ({
  insert: async payment =>
    changed(
      await db
        .insert(unmatchedPayments)
        .values(payment)
        .onConflictDoNothing({ target: unmatchedPayments.incomingPaymentId })
        .returning({ id: unmatchedPayments.id }),
    ),
  async resolveUnderpaid(attemptId, at) {
    await db
      .update(unmatchedPayments)
      .set({ status: 'resolved', updatedAt: at })
      .where(
        and(
          eq(unmatchedPayments.attemptId, attemptId),
          inArray(unmatchedPayments.reason, ['underpaid', 'late']),
        ),
      )
  },
  async setShortfall(attemptId, assetId, shortfall, at) {
    const ofAsset = db
      .select({ id: incomingPayments.id })
      .from(incomingPayments)
      .where(and(eq(incomingPayments.attemptId, attemptId), eq(incomingPayments.assetId, assetId)))
    await db
      .update(unmatchedPayments)
      .set({ shortfall, updatedAt: at })
      .where(
        and(
          eq(unmatchedPayments.attemptId, attemptId),
          eq(unmatchedPayments.status, 'open'),
          inArray(unmatchedPayments.incomingPaymentId, ofAsset),
        ),
      )
  },
  resolve: async (merchantId, id, at) =>
    changed(
      await db
        .update(unmatchedPayments)
        .set({ status: 'resolved', updatedAt: at })
        .where(and(eq(unmatchedPayments.id, id), eq(unmatchedPayments.merchantId, merchantId)))
        .returning({ id: unmatchedPayments.id }),
    ),
  async accept(id, at) {
    await db
      .update(unmatchedPayments)
      .set({ status: 'accepted', updatedAt: at })
      .where(eq(unmatchedPayments.id, id))
  },
})

const withPayments = (db: Db) =>
  db
    .select({
      payment: unmatchedPayments,
      incoming: incomingPayments,
      decimals: attempts.decimals,
      refundAddress: attempts.refundAddress,
      currency: orders.currency,
    })
    .from(unmatchedPayments)
    .innerJoin(incomingPayments, eq(incomingPayments.id, unmatchedPayments.incomingPaymentId))
    .innerJoin(attempts, eq(attempts.id, unmatchedPayments.attemptId))
    .innerJoin(orders, eq(orders.id, unmatchedPayments.orderId))
