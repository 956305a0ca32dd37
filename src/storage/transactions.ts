import { eq } from 'drizzle-orm'
import type { Db } from './db.ts'
import type { Transactions } from './port.ts'
import { inserting } from './prepared.ts'
import { first } from './rows.ts'
import { settlements, transactions } from './schema.ts'

export const transactionsTable = (db: Db): Transactions => ({
  find: async id => first(await db.select().from(transactions).where(eq(transactions.id, id))),
  insert: inserting(db, transactions),
  insertSettlement: inserting(db, settlements),
})
