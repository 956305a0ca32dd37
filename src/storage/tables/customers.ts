import { and, asc, desc, eq, getTableColumns, gt, lt, sql } from 'drizzle-orm'
import { emailKey } from '../../domain/merchant.ts'
import type { Customers } from '../port.ts'
import { customers } from '../schema/index.ts'
import type { Db } from './db.ts'
import { startsWith } from './keyset.ts'
import { first } from './results.ts'
import { insertInto, lazy, param } from './statements.ts'

export function customersTable(db: Db): Customers {
  const byEmail = lazy(() =>
    db
      .select()
      .from(customers)
      .where(and(eq(customers.merchantId, param('merchantId')), eq(customers.emailKey, param('key'))))
      .prepare(),
  )
  const insert = insertInto(db, customers)
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
    findByEmail: async (merchantId, email) =>
      first(await byEmail().execute({ merchantId, key: emailKey(email) })),
    insert: customer => insert({ ...customer, emailKey: emailKey(customer.email) }),
    async setBlocked(id, blockedAt) {
      await db.update(customers).set({ blockedAt }).where(eq(customers.id, id))
    },
  }
}
