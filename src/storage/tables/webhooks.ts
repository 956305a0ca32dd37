import { eq } from 'drizzle-orm'
import type { Webhooks } from '../port.ts'
import { webhooks } from '../schema/index.ts'
import type { Db } from './db.ts'
import { first } from './results.ts'
import { lazy, param, putInto } from './statements.ts'

export function webhooksTable(db: Db): Webhooks {
  const ofMerchant = lazy(() =>
    db
      .select()
      .from(webhooks)
      .where(eq(webhooks.merchantId, param('merchantId')))
      .prepare(),
  )
  return {
    find: async merchantId => first(await ofMerchant().execute({ merchantId })),
    put: putInto(db, webhooks, webhooks.id),
  }
}
