import { and, asc, eq, getTableColumns, gte, isNotNull, lt, ne, type SQL, sql } from 'drizzle-orm'
import type { SQLiteColumn } from 'drizzle-orm/sqlite-core'
import type { PageStart } from '../../domain/page.ts'
import type { MovementRange, Movements } from '../port.ts'
import {
  assetOfPaid,
  attempts,
  decimalsOfPaid,
  incomingPayments,
  orders,
  refunds,
  reversals,
  settlements,
  sweepTransactions,
  transactions,
  unmatchedPayments,
} from '../schema/index.ts'
import type { Db } from './db.ts'
import { byShape, limitParam, param } from './statements.ts'

type Table = typeof transactions | typeof refunds | typeof unmatchedPayments
type Values = Record<string, unknown>

const { externalId, customerEmail, customerFullName, productName, description, tax } = orders
const ofOrder = { externalId, customerEmail, customerFullName, productName, description, tax }

/** Selects the rows of a merchant in a range, after another row, in the order of an index. */
const inRange = ({ merchantId, createdAt, id }: Table, isLater: boolean, condition?: SQL): SQL | undefined =>
  and(
    eq(merchantId, param('merchantId')),
    isLater
      ? sql`(${createdAt}, ${id}) > (${param('at')}, ${param('id')})`
      : gte(createdAt as SQLiteColumn, param('from')),
    lt(createdAt as SQLiteColumn, param('to')),
    condition,
  )

/** Returns the parameters of a query that starts at the beginning of the range, or after a row. */
const valuesOf = (range: MovementRange, limit: number, after: PageStart | null): Values => ({
  ...range,
  limit,
  ...after,
})

function payments(db: Db) {
  const { createdAt, updatedAt: _, ...rest } = transactions
  return byShape<Values, Promise<Awaited<ReturnType<Movements['listPayments']>>>>(has =>
    db
      .select({
        transaction: {
          id: rest.id,
          orderId: rest.orderId,
          methodKey: rest.methodKey,
          amount: rest.amount,
          currency: rest.currency,
          feePercent: rest.feePercent,
          feeAmount: rest.feeAmount,
          netAmount: rest.netAmount,
          receivedAmount: rest.receivedAmount,
          receivedCurrency: rest.receivedCurrency,
          txIn: rest.txIn,
          txOut: rest.txOut,
          createdAt,
        },
        order: { ...ofOrder, createdBy: orders.createdBy },
        attempt: {
          kind: attempts.kind,
          methodName: attempts.methodName,
          assetId: assetOfPaid,
          rate: attempts.rate,
          rateAt: attempts.rateAt,
          rateSources: attempts.rateSources,
        },
        verdict: settlements.verdict,
        rule: settlements.rule,
        evidence: settlements.evidence,
      })
      .from(transactions)
      .innerJoin(settlements, eq(settlements.orderId, transactions.orderId))
      .innerJoin(orders, eq(orders.id, transactions.orderId))
      .innerJoin(attempts, eq(attempts.id, transactions.attemptId))
      .where(inRange(transactions, has('at')))
      .orderBy(asc(transactions.createdAt), asc(transactions.id))
      .limit(limitParam())
      .prepare(),
  )
}

/** At most one provider's refund belongs to the record of a refund. */
const isPaidBackBy = and(eq(reversals.orderId, refunds.orderId), eq(reversals.refundId, refunds.id))

function refundRows(db: Db) {
  return byShape<Values, ReturnType<Movements['listRefunds']>>(has =>
    db
      .select({
        refund: refunds,
        order: ofOrder,
        attempt: {
          methodKey: attempts.methodKey,
          methodName: attempts.methodName,
          assetId: assetOfPaid,
        },
        receivedCurrency: transactions.receivedCurrency,
      })
      .from(refunds)
      .innerJoin(orders, eq(orders.id, refunds.orderId))
      .innerJoin(transactions, eq(transactions.id, refunds.transactionId))
      .leftJoin(reversals, isPaidBackBy)
      .innerJoin(attempts, eq(attempts.id, sql`COALESCE(${reversals.attemptId}, ${transactions.attemptId})`))
      .where(inRange(refunds, has('at')))
      .orderBy(asc(refunds.createdAt), asc(refunds.id))
      .limit(limitParam())
      .prepare(),
  )
}

function networkFees(db: Db) {
  const { merchantId, minedAt, id } = sweepTransactions
  return byShape<Values, ReturnType<Movements['listNetworkFees']>>(has =>
    db
      .select({ ...getTableColumns(sweepTransactions), minedAt: sql<number>`${minedAt}` })
      .from(sweepTransactions)
      .where(
        and(
          eq(merchantId, param('merchantId')),
          has('at')
            ? sql`(${minedAt}, ${id}) > (${param('at')}, ${param('id')})`
            : gte(minedAt, param('from')),
          lt(minedAt, param('to')),
        ),
      )
      .orderBy(asc(minedAt), asc(id))
      .limit(limitParam())
      .prepare(),
  )
}

function unmatched(db: Db) {
  const counts = and(eq(incomingPayments.settles, false), ne(incomingPayments.state, 'gone'))
  return byShape<Values, ReturnType<Movements['listUnmatched']>>(has =>
    db
      .select({
        payment: {
          id: unmatchedPayments.id,
          orderId: unmatchedPayments.orderId,
          reason: unmatchedPayments.reason,
          value: unmatchedPayments.value,
          createdAt: unmatchedPayments.createdAt,
        },
        incoming: {
          assetId: incomingPayments.assetId,
          amountAtomic: incomingPayments.amountAtomic,
          txId: incomingPayments.txId,
          txIn: incomingPayments.txIn,
          txOut: incomingPayments.txOut,
        },
        order: { ...ofOrder, currency: orders.currency },
        attempt: {
          methodKey: attempts.methodKey,
          methodName: attempts.methodName,
          decimals: decimalsOfPaid,
          assetId: assetOfPaid,
        },
      })
      .from(unmatchedPayments)
      .innerJoin(incomingPayments, eq(incomingPayments.id, unmatchedPayments.incomingPaymentId))
      .innerJoin(orders, eq(orders.id, unmatchedPayments.orderId))
      .innerJoin(attempts, eq(attempts.id, unmatchedPayments.attemptId))
      .where(inRange(unmatchedPayments, has('at'), counts))
      .orderBy(asc(unmatchedPayments.createdAt), asc(unmatchedPayments.id))
      .limit(limitParam())
      .prepare(),
  )
}

function forced(db: Db) {
  const { id, merchantId, forcedAt, amount, currency, forceReason } = orders
  return byShape<Values, ReturnType<Movements['listForced']>>(has =>
    db
      .select({ id, amount, currency, forceReason, forcedAt: sql<number>`${forcedAt}`, ...ofOrder })
      .from(orders)
      .where(
        and(
          eq(merchantId, param('merchantId')),
          has('at')
            ? sql`(${forcedAt}, ${id}) > (${param('at')}, ${param('id')})`
            : gte(forcedAt, param('from')),
          lt(forcedAt, param('to')),
          isNotNull(forcedAt),
        ),
      )
      .orderBy(asc(forcedAt), asc(id))
      .limit(limitParam())
      .prepare(),
  )
}

export function movementsTable(db: Db): Movements {
  const [listedPayments, listedRefunds, listedUnmatched] = [payments(db), refundRows(db), unmatched(db)]
  const listedForced = forced(db)
  const listedFees = networkFees(db)
  return {
    listForced: async (...given) => listedForced(valuesOf(...given)),
    listNetworkFees: async (...given) => listedFees(valuesOf(...given)),
    listPayments: async (...given) => listedPayments(valuesOf(...given)),
    listRefunds: async (...given) => listedRefunds(valuesOf(...given)),
    listUnmatched: async (...given) => listedUnmatched(valuesOf(...given)),
  }
}
