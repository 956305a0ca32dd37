import { and, asc, desc, eq, getTableColumns, gt, lt, sql } from 'drizzle-orm'
import type { Customer } from '../../domain/customer.ts'
import { emailKey } from '../../domain/merchant.ts'
import type { Customers } from '../port.ts'
import { customers } from '../schema/index.ts'
import type { Db } from './db.ts'
import { startsWith } from './keyset.ts'
import { first } from './results.ts'
import { columnParams, conflictOn, insertInto, lazy, param } from './statements.ts'

export function customersTable(db: Db): Customers {
  const byEmail = lazy(() =>
    db
      .select()
      .from(customers)
      .where(and(eq(customers.merchantId, param('merchantId')), eq(customers.emailKey, param('key'))))
      .prepare(),
  )
  const insert = insertInto(db, customers)
  const insertNew = lazy(() =>
    db
      .insert(customers)
      .values(columnParams(customers))
      .onConflictDoNothing({ target: conflictOn(customers.merchantId, customers.emailKey) })
      .returning({ id: customers.id })
      .prepare(),
  )
  const rowOf = (customer: Customer) => ({ ...customer, emailKey: emailKey(customer.email) })
  const findByEmail = async (merchantId: string, email: string) =>
    first(await byEmail().execute({ merchantId, key: emailKey(email) }))
  const { emailKey: key } = customers
  const { emailKey: _, ...columns } = getTableColumns(customers)
  return {
    find: async id => first(await db.select(columns).from(customers).where(eq(customers.id, id))),
    async list({ merchantId, prefix = '', isBlocked }, limit, turn) {
      const isBack = turn?.direction === 'previous'
      const rows = await db
        .select(columns)
        .from(customers)
        .where(
          and(
            eq(customers.merchantId, merchantId),
            startsWith(sql`${key}`, emailKey(prefix)),
            isBlocked === true ? sql`${customers.blockedAt} IS NOT NULL` : undefined,
            turn ? (isBack ? lt : gt)(key, emailKey(turn.email)) : undefined,
          ),
        )
        .orderBy((isBack ? desc : asc)(key))
        .limit(limit)
      return isBack ? rows.reverse() : rows
    },
    findByEmail,
    insert: customer => insert(rowOf(customer)),
    async ensure(customer) {
      // With several writers, insert first: a search without a result would conflict with everybody who
      // inserts near that place of the index.
      if (db.dialect.hasManyWriters && (await insertNew().execute(rowOf(customer))).length > 0)
        return customer
      const known = await findByEmail(customer.merchantId, customer.email)
      if (!known) await insert(rowOf(customer))
      return known ?? customer
    },
    async setBlocked(id, blockedAt) {
      await db.update(customers).set({ blockedAt }).where(eq(customers.id, id))
    },
  }
}
