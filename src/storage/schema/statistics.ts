import { primaryKey, sqliteTable } from 'drizzle-orm/sqlite-core'
import { count, instant, json, string, units } from './columns.ts'

/** Length of the period of a row of sums, in minutes: a quarter hour or a day. */
type Minutes = 15 | 1440

const timeSpan = () => ({
  merchantNumber: count().notNull(),
  currency: string().notNull(),
  minutes: count().$type<Minutes>().notNull(),
  startsAt: instant().notNull(),
})

const paymentSums = () => ({
  gross: units().notNull(),
  net: units().notNull(),
  refunded: units().notNull(),
  paidCount: count().notNull(),
  refundedCount: count().notNull(),
})

export const statistics = sqliteTable(
  'statistics',
  {
    ...timeSpan(),
    ...paymentSums(),
    pending: units().notNull(),
    cancelled: units().notNull(),
    forced: units().notNull(),
    pendingCount: count().notNull(),
    createdCount: count().notNull(),
    convertedCount: count().notNull(),
    deletedCount: count().notNull(),
    cancelledCount: count().notNull(),
    forcedCount: count().notNull(),
  },
  table => [primaryKey({ columns: [table.merchantNumber, table.minutes, table.currency, table.startsAt] })],
)

export const methodStatistics = sqliteTable(
  'method_statistics',
  { ...timeSpan(), methodKey: string().notNull(), assetId: string().notNull(), ...paymentSums() },
  table => [
    primaryKey({
      columns: [
        table.merchantNumber,
        table.minutes,
        table.currency,
        table.startsAt,
        table.methodKey,
        table.assetId,
      ],
    }),
  ],
)

/** Additions to statistics that wait until they are added to the rows of sums. */
export const statisticChanges = sqliteTable('statistic_changes', {
  id: string().primaryKey(),
  merchantId: string().notNull(),
  currency: string().notNull(),
  startsAt: instant().notNull(),
  methodKey: string(),
  assetId: string(),
  /** counts as numbers, amounts as strings */
  delta: json<Record<string, number | string>>().notNull(),
})
