import { eq } from 'drizzle-orm'
import type { Db } from './db.ts'
import type { Transactions } from './port.ts'
import { first } from './rows.ts'
import { settlements, transactions } from './schema.ts'

export const transactionsTable = (db: Db): Transactions => ({
  find: async id => first(await db.select().from(transactions).where(eq(transactions.id, id))),
  async insert(transaction) {
    await db.insert(transactions).values(transaction)
  },
  async insertSettlement(settlement) {
    await db.insert(settlements).values(settlement)
  },
})
