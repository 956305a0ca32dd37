import { and, desc, eq } from 'drizzle-orm'
import type { Db } from './db.ts'
import type { UnmatchedPayments } from './port.ts'
import { changed } from './rows.ts'
import { unmatchedPayments } from './schema.ts'

export const unmatchedTable = (db: Db): UnmatchedPayments => ({
  insert: async payment =>
    changed(
      await db
        .insert(unmatchedPayments)
        .values(payment)
        .onConflictDoNothing({ target: unmatchedPayments.receiptId })
        .returning({ id: unmatchedPayments.id }),
    ),
  async resolveOf(attemptId, at) {
    await db
      .update(unmatchedPayments)
      .set({ status: 'resolved', updatedAt: at })
      .where(and(eq(unmatchedPayments.attemptId, attemptId), eq(unmatchedPayments.reason, 'underpaid')))
  },
  list: async (merchantId, limit) =>
    db
      .select()
      .from(unmatchedPayments)
      .where(eq(unmatchedPayments.merchantId, merchantId))
      .orderBy(desc(unmatchedPayments.createdAt), desc(unmatchedPayments.id))
      .limit(limit),
})
