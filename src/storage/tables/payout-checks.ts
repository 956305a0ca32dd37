import { asc, eq } from 'drizzle-orm'
import type { PayoutChecks } from '../port.ts'
import { payoutChecks } from '../schema/index.ts'
import type { Db } from './db.ts'

export const payoutChecksTable = (db: Db): PayoutChecks => ({
  listOf: async address =>
    db.select().from(payoutChecks).where(eq(payoutChecks.address, address)).orderBy(asc(payoutChecks.chain)),
  async put(check) {
    await db
      .insert(payoutChecks)
      .values(check)
      .onConflictDoUpdate({ target: [payoutChecks.address, payoutChecks.chain], set: check })
  },
})
