import { and, desc, eq } from 'drizzle-orm'
import type { SkippedPayments } from '../port.ts'
import { skippedPayments } from '../schema/index.ts'
import type { Db } from './db.ts'
import { changed, first } from './results.ts'
import { insertInto, lazy, limitParam, param } from './statements.ts'

export function skippedPaymentsTable(db: Db): SkippedPayments {
  const isOpenOf = (merchantId: string) =>
    and(eq(skippedPayments.merchantId, merchantId), eq(skippedPayments.status, 'open'))
  const open = lazy(() =>
    db
      .select({ id: skippedPayments.id })
      .from(skippedPayments)
      .where(and(eq(skippedPayments.merchantId, param('merchantId')), eq(skippedPayments.status, 'open')))
      .limit(limitParam())
      .prepare(),
  )
  return {
    find: async id => first(await db.select().from(skippedPayments).where(eq(skippedPayments.id, id))),
    async findAt(address, assetId) {
      const same = and(eq(skippedPayments.address, address), eq(skippedPayments.assetId, assetId))
      return first(await db.select().from(skippedPayments).where(same))
    },
    list: async (merchantId, limit) =>
      db
        .select()
        .from(skippedPayments)
        .where(eq(skippedPayments.merchantId, merchantId))
        .orderBy(desc(skippedPayments.createdAt), desc(skippedPayments.id))
        .limit(limit),
    countOpen: async (merchantId, limit) => (await open().execute({ merchantId, limit })).length,
    insert: insertInto(db, skippedPayments),
    async raise(id, amountAtomic, at) {
      await db
        .update(skippedPayments)
        .set({ amountAtomic, status: 'open', note: null, decidedBy: null, updatedAt: at })
        .where(eq(skippedPayments.id, id))
    },
    resolve: async (merchantId, id, decision) =>
      changed(
        await db
          .update(skippedPayments)
          .set({ ...decision, status: 'resolved' })
          .where(and(eq(skippedPayments.id, id), isOpenOf(merchantId)))
          .returning({ id: skippedPayments.id }),
      ),
  }
}
