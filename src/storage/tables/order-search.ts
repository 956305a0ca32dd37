import { and, desc, eq, inArray, isNotNull, type SQL, sql } from 'drizzle-orm'
import { emailKey } from '../../domain/merchant.ts'
import type { OrderSearch, OrderWithSession } from '../port.ts'
import { attempts, customers, incomingPayments, orders, transactions } from '../schema/index.ts'
import type { Db } from './db.ts'
import { isExternalId, numberOfMerchant, orderWithSession, txSpellings } from './order-columns.ts'

const ofCustomer = (db: Db, merchantId: string, email: string): SQL =>
  inArray(
    orders.customerId,
    db
      .select({ id: customers.id })
      .from(customers)
      .where(and(eq(customers.merchantId, merchantId), eq(customers.emailKey, emailKey(email)))),
  )

const ofAddress = (db: Db, address: string): SQL =>
  inArray(
    orders.id,
    db
      .select({ id: attempts.orderId })
      .from(attempts)
      .where(and(eq(sql`lower(${attempts.address})`, address.toLowerCase()), isNotNull(attempts.address))),
  )

/**
 * Finds orders with a transaction in one of the columns that contain transactions. Each column has an index.
 */
async function idsOfTx(db: Db, tx: string): Promise<string[]> {
  const spellings = txSpellings(tx)
  const columns = [incomingPayments.txId, incomingPayments.txIn, incomingPayments.txOut]
  const found = await Promise.all([
    ...columns.map(column =>
      db.select({ id: incomingPayments.orderId }).from(incomingPayments).where(inArray(column, spellings)),
    ),
    db.select({ id: transactions.orderId }).from(transactions).where(inArray(transactions.txOut, spellings)),
  ])
  return [...new Set(found.flat().map(({ id }) => id))]
}

/** Finds orders by the details of a payment that a buyer may know. */
export async function searchOrders(
  db: Db,
  { merchantId, status, externalId, email, tx, address }: OrderSearch,
  limit: number,
): Promise<OrderWithSession[]> {
  const paidBy = tx === undefined ? null : await idsOfTx(db, tx)
  if (paidBy?.length === 0) return []
  const isRare = email !== undefined || tx !== undefined || address !== undefined
  return db
    .select(orderWithSession)
    .from(orders)
    .where(
      and(
        // With one of these filters, few orders match, so their own index is used. The index of
        // `merchantNumber` would read all orders of the merchant.
        isRare ? eq(orders.merchantId, merchantId) : eq(orders.merchantNumber, numberOfMerchant(merchantId)),
        status && eq(orders.status, status),
        externalId === undefined ? undefined : isExternalId(db, sql`${externalId}`),
        email === undefined ? undefined : ofCustomer(db, merchantId, email),
        paidBy === null ? undefined : inArray(orders.id, paidBy),
        address === undefined ? undefined : ofAddress(db, address),
      ),
    )
    .orderBy(desc(orders.createdAt), desc(orders.id))
    .limit(limit)
}
