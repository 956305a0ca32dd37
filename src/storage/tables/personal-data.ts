import { and, asc, eq, getTableColumns, gt, isNotNull, like, ne, or, sql } from 'drizzle-orm'
import type { SQLiteColumn, SQLiteTable } from 'drizzle-orm/sqlite-core'
import type { PersonalData, TableOfBuyers } from '../port.ts'
import {
  attempts,
  auditLog,
  buyerMails,
  customers,
  deliveries,
  events,
  furtherDeliveries,
  incomingPayments,
  notifications,
  orderNotes,
  orders,
  paymentMails,
  refunds,
  reversals,
  savedViews,
  settlements,
  transactions,
  unmatchedPayments,
} from '../schema/index.ts'
import type { Db } from './db.ts'
import { first } from './statements.ts'

interface Place {
  table: SQLiteTable
  id: SQLiteColumn
  merchantId: SQLiteColumn
}

const tables: Record<TableOfBuyers, SQLiteTable> = {
  orders,
  orderNotes,
  savedViews,
  attempts,
  incomingPayments,
  settlements,
  unmatchedPayments,
  transactions,
  refunds,
  reversals,
  notifications,
  events,
  deliveries,
  furtherDeliveries,
  auditLog,
}

const keyColumns: Partial<Record<TableOfBuyers, SQLiteColumn>> = {
  deliveries: deliveries.eventId,
  settlements: settlements.orderId,
}

function placeOf(name: TableOfBuyers): Place {
  const columns = getTableColumns(tables[name])
  return { table: tables[name], id: keyColumns[name] ?? columns.id!, merchantId: columns.merchantId! }
}

/** Lists the columns that contain text or JSON, as stored. */
const textsOf = (table: SQLiteTable): [name: string, column: SQLiteColumn][] =>
  Object.entries(getTableColumns(table)).filter(
    ([name, column]) => column.getSQLType() === 'text' && !/^(id|[a-z]+Id)$/.test(name),
  )

const numberOf = (email: string): number => Number(/^erased-(\d+)@/.exec(email)?.[1] ?? 0)

/** Removes the refund addresses of an order, and their copies in its notifications. */
async function eraseRefundAddresses(db: Db, orderId: string): Promise<void> {
  const left = await db
    .select({ id: attempts.id, address: attempts.refundAddress })
    .from(attempts)
    .where(and(eq(attempts.orderId, orderId), isNotNull(attempts.refundAddress)))
  for (const { id, address } of left) {
    await db.update(attempts).set({ refundAddress: null }).where(eq(attempts.id, id))
    await db
      .update(notifications)
      .set({ facts: sql`replace(${notifications.facts}, ${address}, 'erased')` })
      .where(eq(notifications.orderId, orderId))
  }
}

export const personalDataTable = (db: Db): PersonalData => ({
  async nextNumber(merchantId) {
    const rows = await db
      .select({ key: customers.emailKey })
      .from(customers)
      .where(and(eq(customers.merchantId, merchantId), like(customers.emailKey, 'erased-%@erased.invalid')))
    return Math.max(0, ...rows.map(({ key }) => numberOf(key))) + 1
  },
  async eraseOrders(customerId, email, limit) {
    const rows = await db
      .select({ id: orders.id })
      .from(orders)
      .where(and(eq(orders.customerId, customerId), ne(orders.customerEmail, email)))
      .limit(limit)
    for (const { id } of rows) {
      await db.update(orders).set({ customerEmail: email, customerFullName: '' }).where(eq(orders.id, id))
      await db.delete(buyerMails).where(eq(buyerMails.orderId, id))
      await db.delete(paymentMails).where(eq(paymentMails.orderId, id))
      await eraseRefundAddresses(db, id)
    }
    return rows.length
  },
  async eraseCustomer(customerId, email) {
    const change = { email, emailKey: email, blockedAt: null }
    await db.update(customers).set(change).where(eq(customers.id, customerId))
  },
  async listMentions(name, merchantId, spellings, limit, after) {
    const { table, id, merchantId: owner } = placeOf(name)
    const mentions = textsOf(table).flatMap(([, column]) =>
      spellings.map(spelling => sql`${db.dialect.position(sql`lower(${column})`, sql`${spelling}`)} > 0`),
    )
    const rows = await db
      .select({ id: sql<string>`${id}` })
      .from(table)
      .where(and(eq(owner, merchantId), gt(id, after), or(...mentions)))
      .orderBy(asc(id))
      .limit(limit)
    return rows.map(row => row.id)
  },
  async rewrite(name, key, erase) {
    const { table, id } = placeOf(name)
    const texts = Object.fromEntries(
      textsOf(table).map(([column, at]) => [column, sql<string | null>`${at}`] as const),
    )
    const row = first(await db.select(texts).from(table).where(eq(id, key)))
    const changed = Object.entries(row ?? {}).flatMap(([column, text]) => {
      const erased = text === null ? null : erase(text)
      return erased === text ? [] : [[column, sql`${erased}`] as const]
    })
    if (changed.length === 0) return false
    await db.update(table).set(Object.fromEntries(changed)).where(eq(id, key))
    return true
  },
})
