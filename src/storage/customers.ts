import { and, eq } from 'drizzle-orm'
import { emailKey } from '../domain/merchant.ts'
import type { Db } from './db.ts'
import type { Customers } from './port.ts'
import { first } from './rows.ts'
import { customers } from './schema.ts'

export const customersTable = (db: Db): Customers => ({
  findByEmail: async (merchantId, email) =>
    first(
      await db
        .select()
        .from(customers)
        .where(and(eq(customers.merchantId, merchantId), eq(customers.emailKey, emailKey(email)))),
    ),
  async insert(customer) {
    await db.insert(customers).values({ ...customer, emailKey: emailKey(customer.email) })
  },
  async setBlocked(id, blockedAt) {
    await db.update(customers).set({ blockedAt }).where(eq(customers.id, id))
  },
})
