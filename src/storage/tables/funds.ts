import { and, asc, count, desc, eq, gt, inArray, isNotNull, type SQL, sql } from 'drizzle-orm'
import type { SweepTransaction, WaitingFunds } from '../../domain/waiting-funds.ts'
import type { Funds, HeldFunds, PaidAddress, SweepTransactions } from '../port.ts'
import { attempts, heldFunds, incomingPayments, sweepTransactions, waitingFunds } from '../schema/index.ts'
import type { Db } from './db.ts'
import {
  byShape,
  changed,
  columnParams,
  conflictOn,
  first,
  lazy,
  limitParam,
  moveOf,
  param,
  putInto,
} from './statements.ts'

function payments(db: Db) {
  const { id, attemptId, merchantId, assetId, state, txOut, updatedAt } = incomingPayments
  const { address, addressSource } = attempts
  return db
    .select({ id, attemptId, merchantId, assetId, state, txOut, updatedAt, address, addressSource })
    .from(incomingPayments)
    .innerJoin(attempts, eq(attempts.id, attemptId))
    .where(gt(id, param('after')))
    .orderBy(asc(id))
    .limit(limitParam())
    .prepare()
}

const inTexts = (db: Db, column: SQL): SQL => inArray(column, db.dialect.textsOf(param('texts')))

export function fundsTable(db: Db): Funds {
  const listing = lazy(() => payments(db))
  const holding = lazy(() =>
    db
      .select()
      .from(heldFunds)
      .where(inTexts(db, sql`${heldFunds.attemptId}`))
      .prepare(),
  )
  const ofMerchant = lazy(() =>
    db
      .select()
      .from(waitingFunds)
      .where(eq(waitingFunds.merchantId, param('merchantId')))
      .prepare(),
  )
  const all = lazy(() => db.select().from(waitingFunds).prepare())
  const lowerAddress = sql<string>`lower(${attempts.address})`
  const given = lazy(() =>
    db
      .select({ address: lowerAddress })
      .from(attempts)
      .where(
        and(
          inTexts(db, lowerAddress),
          // The condition of the partial index, which has no rows without an address.
          isNotNull(attempts.address),
          eq(attempts.merchantId, param('merchantId')),
        ),
      )
      .prepare(),
  )
  return {
    listPayments: async (after, limit): Promise<PaidAddress[]> => listing().execute({ after, limit }),
    listHeld: async (attemptIds): Promise<HeldFunds[]> =>
      holding().execute({ texts: JSON.stringify(attemptIds) }),
    putHeld: putInto(db, heldFunds, heldFunds.attemptId, heldFunds.chain),
    find: async (merchantId): Promise<WaitingFunds | null> =>
      first(await ofMerchant().execute({ merchantId })),
    list: async () => all().execute(),
    put: putInto(db, waitingFunds, waitingFunds.merchantId),
    async listGiven(merchantId, addresses) {
      const rows = await given().execute({ merchantId, texts: JSON.stringify(addresses) })
      return rows.map(({ address }) => address)
    },
  }
}

export function sweepTransactionsTable(db: Db): SweepTransactions {
  const { id, merchantId, txId, status, createdAt, updatedAt } = sweepTransactions
  const inserting = lazy(() =>
    db
      .insert(sweepTransactions)
      .values(columnParams(sweepTransactions))
      .onConflictDoNothing({ target: conflictOn(merchantId, txId) })
      .returning({ id })
      .prepare(),
  )
  const known = lazy(() =>
    db
      .select({ merchantId, txId })
      .from(sweepTransactions)
      .where(inTexts(db, sql`${txId}`))
      .prepare(),
  )
  const sent = lazy(() =>
    db
      .select()
      .from(sweepTransactions)
      .where(eq(status, 'sent'))
      .orderBy(asc(updatedAt), asc(id))
      .limit(limitParam())
      .prepare(),
  )
  const listed = byShape<Record<string, unknown>, Promise<SweepTransaction[]>>(has =>
    db
      .select()
      .from(sweepTransactions)
      .where(
        and(
          eq(merchantId, param('merchantId')),
          has('at') ? sql`(${createdAt}, ${id}) < (${param('at')}, ${param('id')})` : undefined,
        ),
      )
      .orderBy(desc(createdAt), desc(id))
      .limit(limitParam())
      .prepare(),
  )
  const counted = lazy(() =>
    db
      .select({ count: count() })
      .from(sweepTransactions)
      .where(and(eq(status, 'sent'), eq(merchantId, param('merchantId'))))
      .prepare(),
  )
  const isSent = and(eq(id, param('key')), eq(status, 'sent'))
  const settle = moveOf<typeof sweepTransactions, { key: string }>(db, sweepTransactions, isSent)
  return {
    insert: async transaction => changed(await inserting().execute({ ...transaction })),
    settle: (key, change) => settle({ key }, change),
    listKnown: async txIds => known().execute({ texts: JSON.stringify(txIds) }),
    listSent: async limit => sent().execute({ limit }),
    countSent: async merchantId => (await counted().execute({ merchantId }))[0]?.count ?? 0,
    list: (merchantId, limit, after) => listed({ merchantId, limit, ...after }),
  }
}
