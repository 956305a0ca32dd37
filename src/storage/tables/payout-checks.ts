import { asc, eq } from 'drizzle-orm'
import type { PayoutChecks } from '../port.ts'
import { payoutChecks } from '../schema/index.ts'
import type { Db } from './db.ts'
import { conflictOn, lazy, param } from './statements.ts'

export function payoutChecksTable(db: Db): PayoutChecks {
  const ofAddress = lazy(() =>
    db
      .select()
      .from(payoutChecks)
      .where(eq(payoutChecks.address, param('address')))
      .orderBy(asc(payoutChecks.chain))
      .prepare(),
  )
  return {
    listOf: async address => ofAddress().execute({ address }),
    async put(check) {
      await db
        .insert(payoutChecks)
        .values(check)
        .onConflictDoUpdate({ target: conflictOn(payoutChecks.address, payoutChecks.chain), set: check })
    },
  }
}
