import { primaryKey, sqliteTable } from 'drizzle-orm/sqlite-core'
import type { InvoiceContent } from '../../domain/invoice.ts'
import { count, instant, json, string } from './columns.ts'

export const invoiceNumbers = sqliteTable(
  'invoice_numbers',
  { merchantId: string().notNull(), year: count().notNull(), last: count().notNull() },
  table => [primaryKey({ columns: [table.merchantId, table.year] })],
)

export const invoices = sqliteTable('invoices', {
  id: string().primaryKey(),
  merchantId: string().notNull(),
  orderId: string().notNull(),
  cause: string().notNull(),
  year: count().notNull(),
  ordinal: count().notNull(),
  number: string().notNull(),
  content: json<InvoiceContent>().notNull(),
  xml: string(),
  sha256: string(),
  issuedAt: instant().notNull(),
})
