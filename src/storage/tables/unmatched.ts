import { and, asc, desc, eq, inArray } from 'drizzle-orm'
import type { UnmatchedPayments } from '../port.ts'
import { attempts, incomingPayments, unmatchedPayments } from '../schema/index.ts'
import type { Db } from './db.ts'
import { changed, first } from './results.ts'

const withPayments = (db: Db) =>
  db
    .select({ payment: unmatchedPayments, incoming: incomingPayments, decimals: attempts.decimals })
    .from(unmatchedPayments)
    .innerJoin(incomingPayments, eq(incomingPayments.id, unmatchedPayments.incomingPaymentId))
    .innerJoin(attempts, eq(attempts.id, unmatchedPayments.attemptId))

export const unmatchedTable = (db: Db): UnmatchedPayments => ({
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
  async knownPayments(attemptId) {
    const rows = await db
      .select({ id: unmatchedPayments.incomingPaymentId })
      .from(unmatchedPayments)
      .where(eq(unmatchedPayments.attemptId, attemptId))
    return rows.map(({ id }) => id)
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
  find: async id => first(await db.select().from(unmatchedPayments).where(eq(unmatchedPayments.id, id))),
  resolve: async (merchantId, id, at) =>
    changed(
      await db
        .update(unmatchedPayments)
        .set({ status: 'resolved', updatedAt: at })
        .where(and(eq(unmatchedPayments.id, id), eq(unmatchedPayments.merchantId, merchantId)))
        .returning({ id: unmatchedPayments.id }),
    ),
  listOfAttempt: async attemptId =>
    withPayments(db)
      .where(eq(unmatchedPayments.attemptId, attemptId))
      .orderBy(asc(unmatchedPayments.createdAt), asc(unmatchedPayments.id)),
  list: async (merchantId, limit) =>
    withPayments(db)
      .where(eq(unmatchedPayments.merchantId, merchantId))
      .orderBy(desc(unmatchedPayments.createdAt), desc(unmatchedPayments.id))
      .limit(limit),
})
