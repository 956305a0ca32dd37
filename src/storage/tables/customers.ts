import { and, eq } from 'drizzle-orm'
import { emailKey } from '../../domain/merchant.ts'
import type { Customers } from '../port.ts'
import { customers } from '../schema/index.ts'
import type { Db } from './db.ts'
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
  return {
    findByEmail: async (merchantId, email) =>
      first(await byEmail().execute({ merchantId, key: emailKey(email) })),
    insert: customer => insert({ ...customer, emailKey: emailKey(customer.email) }),
    async setBlocked(id, blockedAt) {
      await db.update(customers).set({ blockedAt }).where(eq(customers.id, id))
    },
  }
}
