import { and, asc, desc, eq, sql } from 'drizzle-orm'
import { assert } from '../../domain/errors.ts'
import type { Invoice } from '../../domain/invoice.ts'
import type { Invoices } from '../port.ts'
import { invoiceNumbers, invoices } from '../schema/index.ts'
import type { Db } from './db.ts'
import { byShape, conflictOn, first, insertInto, lazy, limitParam, param } from './statements.ts'

export function invoicesTable(db: Db): Invoices {
  const { merchantId, orderId, year, ordinal, issuedAt } = invoices
  const ofOrder = lazy(() =>
    db
      .select()
      .from(invoices)
      .where(eq(orderId, param('orderId')))
      .orderBy(asc(issuedAt), asc(year), asc(ordinal))
      .prepare(),
  )
  const listed = byShape<Record<string, unknown>, Promise<Invoice[]>>(has =>
    db
      .select()
      .from(invoices)
      .where(
        and(
          eq(merchantId, param('merchantId')),
          has('ordinal') ? sql`(${year}, ${ordinal}) < (${param('year')}, ${param('ordinal')})` : undefined,
        ),
      )
      .orderBy(desc(year), desc(ordinal))
      .limit(limitParam())
      .prepare(),
  )
  return {
    async nextOrdinal(merchantId, year) {
      const [row] = await db
        .insert(invoiceNumbers)
        .values({ merchantId, year, last: 1 })
        .onConflictDoUpdate({
          target: conflictOn(invoiceNumbers.merchantId, invoiceNumbers.year),
          set: { last: sql`${invoiceNumbers.last} + 1` },
        })
        .returning({ last: invoiceNumbers.last })
      assert(row, 'an upsert returns its row')
      return row.last
    },
    insert: insertInto(db, invoices),
    async find(merchant, place) {
      const rows = await db
        .select()
        .from(invoices)
        .where(and(eq(merchantId, merchant), eq(year, place.year), eq(ordinal, place.ordinal)))
      return first(rows)
    },
    listOf: async orderId => ofOrder().execute({ orderId }),
    list: (merchantId, limit, before) => listed({ merchantId, limit, ...before }),
  }
}
