import { and, asc, desc, eq } from 'drizzle-orm'
import type { UnmatchedPayments, UnmatchedRow } from '../port.ts'
import {
  assetOfPaid,
  attempts,
  decimalsOfPaid,
  incomingPayments,
  orders,
  unmatchedPayments,
} from '../schema/index.ts'
import type { Db } from './db.ts'
import { olderThan } from './keyset.ts'
import { byShape, changed, conflictOn, first, lazy, limitParam, param } from './statements.ts'

type Reads = Pick<
  UnmatchedPayments,
  'knownPayments' | 'find' | 'list' | 'browse' | 'countOpen' | 'listOf' | 'listOfAttempt'
>

export const unmatchedTable = (db: Db): UnmatchedPayments => ({ ...reads(db), ...writes(db) })

function reads(db: Db): Reads {
  const ofOrder = lazy(() =>
    withPayments(db)
      .where(eq(unmatchedPayments.orderId, param('orderId')))
      .orderBy(asc(unmatchedPayments.createdAt), asc(unmatchedPayments.id))
      .prepare(),
  )
  const ofAttempt = lazy(() =>
    withPayments(db)
      .where(eq(unmatchedPayments.attemptId, param('attemptId')))
      .orderBy(asc(unmatchedPayments.createdAt), asc(unmatchedPayments.id))
      .prepare(),
  )
  const browsed = byShape<Record<string, unknown>, Promise<UnmatchedRow[]>>(has =>
    withPayments(db)
      .where(
        and(
          eq(unmatchedPayments.merchantId, param('merchantId')),
          has('status') ? eq(unmatchedPayments.status, param('status')) : undefined,
          has('at') ? olderThan(unmatchedPayments.createdAt, unmatchedPayments.id) : undefined,
        ),
      )
      .orderBy(desc(unmatchedPayments.createdAt), desc(unmatchedPayments.id))
      .limit(limitParam())
      .prepare(),
  )
  const open = lazy(() =>
    db
      .select({ id: unmatchedPayments.id })
      .from(unmatchedPayments)
      .where(and(eq(unmatchedPayments.merchantId, param('merchantId')), eq(unmatchedPayments.status, 'open')))
      .limit(limitParam())
      .prepare(),
  )
  return {
    browse: (query, limit, after) => browsed({ ...query, limit, ...after }),
    countOpen: async (merchantId, limit) => (await open().execute({ merchantId, limit })).length,
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
    listOfAttempt: async attemptId => ofAttempt().execute({ attemptId }),
    listOf: async orderId => ofOrder().execute({ orderId }),
  }
}

const writes = (db: Db): Omit<UnmatchedPayments, keyof Reads> => ({
  insert: async payment =>
    changed(
      await db
        .insert(unmatchedPayments)
        .values(payment)
        .onConflictDoNothing({ target: conflictOn(unmatchedPayments.incomingPaymentId) })
        .returning({ id: unmatchedPayments.id }),
    ),
  async update(id, change) {
    await db.update(unmatchedPayments).set(change).where(eq(unmatchedPayments.id, id))
  },
  resolve: async (merchantId, id, decision) =>
    changed(
      await db
        .update(unmatchedPayments)
        .set({ ...decision, status: 'resolved' })
        .where(
          and(
            eq(unmatchedPayments.id, id),
            eq(unmatchedPayments.merchantId, merchantId),
            eq(unmatchedPayments.status, 'open'),
          ),
        )
        .returning({ id: unmatchedPayments.id }),
    ),
})

const withPayments = (db: Db) =>
  db
    .select({
      payment: unmatchedPayments,
      incoming: incomingPayments,
      asked: { assetId: assetOfPaid, decimals: decimalsOfPaid },
      refundAddress: attempts.refundAddress,
      currency: orders.currency,
      orderStatus: orders.status,
      externalId: orders.externalId,
    })
    .from(unmatchedPayments)
    .innerJoin(incomingPayments, eq(incomingPayments.id, unmatchedPayments.incomingPaymentId))
    .innerJoin(attempts, eq(attempts.id, unmatchedPayments.attemptId))
    .innerJoin(orders, eq(orders.id, unmatchedPayments.orderId))
