import { and, desc, eq } from 'drizzle-orm'
import type { Refund } from '../../domain/refund.ts'
import type { Refunds } from '../port.ts'
import { refunds } from '../schema/index.ts'
import type { Db } from './db.ts'
import { olderThan } from './keyset.ts'
import { first } from './results.ts'
import { byShape, insertInto, limitParam, param } from './statements.ts'

export function refundsTable(db: Db): Refunds {
  const listed = byShape<Record<string, unknown>, Promise<Refund[]>>(has =>
    db
      .select()
      .from(refunds)
      .where(
        and(
          eq(refunds.orderId, param('orderId')),
          has('at') ? olderThan(refunds.createdAt, refunds.id) : undefined,
        ),
      )
      .orderBy(desc(refunds.createdAt), desc(refunds.id))
      .limit(limitParam())
      .prepare(),
  )
  return {
    find: async id => first(await db.select().from(refunds).where(eq(refunds.id, id))),
    list: (orderId, limit, after) => listed({ orderId, limit, ...after }),
    insert: insertInto(db, refunds),
  }
}
