import { and, asc, desc, eq, gt, inArray, isNotNull, or, sql } from 'drizzle-orm'
import type { Attempts, Receipts } from '../port.ts'
import { attempts, receipts } from '../schema/index.ts'
import type { Db } from './db.ts'
import { first } from './results.ts'
import { given, inserting, once } from './statements.ts'

export function attemptsTable(db: Db): Attempts {
  const byId = once(() =>
    db
      .select()
      .from(attempts)
      .where(eq(attempts.id, given('id')))
      .prepare(),
  )
  const ofOrder = once(() =>
    db
      .select()
      .from(attempts)
      .where(eq(attempts.orderId, given('orderId')))
      .orderBy(asc(attempts.createdAt), asc(attempts.id))
      .prepare(),
  )
  return {
    find: async id => first(await byId().execute({ id })),
    listOf: async orderId => ofOrder().execute({ orderId }),
    listOfAll: async orderIds =>
      db
        .select()
        .from(attempts)
        .where(inArray(attempts.orderId, orderIds))
        .orderBy(desc(attempts.createdAt), desc(attempts.id)),
    async isShared(address, assetId, due, after) {
      const isSame = and(
        eq(attempts.shared, true),
        eq(attempts.address, address),
        eq(attempts.assetId, assetId),
        eq(attempts.due, due),
        gt(attempts.watchUntil, after),
      )
      return (await db.select({ id: attempts.id }).from(attempts).where(isSame).limit(1)).length > 0
    },
    async hasAddress(address) {
      const found = await db
        .select({ id: attempts.id })
        .from(attempts)
        .where(and(eq(sql`lower(${attempts.address})`, address.toLowerCase()), isNotNull(attempts.address)))
        .limit(1)
      return found.length > 0
    },
    insert: inserting(db, attempts),
    async update(id, change) {
      await db.update(attempts).set(change).where(eq(attempts.id, id))
    },
  }
}

export function receiptsTable(db: Db): Receipts {
  const ofAttempt = once(() =>
    db
      .select()
      .from(receipts)
      .where(eq(receipts.attemptId, given('attemptId')))
      .orderBy(asc(receipts.createdAt), asc(receipts.id))
      .prepare(),
  )
  return {
    listOf: async attemptId => ofAttempt().execute({ attemptId }),
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
    insert: inserting(db, receipts),
    async update(id, change) {
      await db.update(receipts).set(change).where(eq(receipts.id, id))
    },
  }
}
