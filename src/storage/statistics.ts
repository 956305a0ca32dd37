import { and, eq } from 'drizzle-orm'
import type { Statistics } from '../domain/statistics.ts'
import type { Db } from './db.ts'
import type { StatisticsTable } from './port.ts'
import { first } from './rows.ts'
import { statistics } from './schema.ts'

const zero = {
  pending: 0n,
  gross: 0n,
  net: 0n,
  refunded: 0n,
  cancelled: 0n,
  forced: 0n,
  pendingCount: 0,
  paidCount: 0,
  refundedCount: 0,
  cancelledCount: 0,
  forcedCount: 0,
}

type Sums = Omit<Statistics, 'merchantId' | 'day' | 'currency'>

function plus(sums: Sums, delta: Partial<Sums>): Sums {
  const entries = Object.entries(sums).map(([name, value]) => {
    const more = delta[name as keyof Sums]
    if (more === undefined) return [name, value]
    return [name, typeof value === 'bigint' ? value + (more as bigint) : value + (more as number)]
  })
  return Object.fromEntries(entries) as Sums
}

export const statisticsTable = (db: Db): StatisticsTable => ({
  async add(merchantId, day, currency, delta) {
    const key = { merchantId, day, currency }
    const found = first(
      await db
        .select()
        .from(statistics)
        .where(
          and(
            eq(statistics.merchantId, merchantId),
            eq(statistics.day, day),
            eq(statistics.currency, currency),
          ),
        ),
    )
    const { merchantId: _m, day: _d, currency: _c, ...sums } = found ?? { ...key, ...zero }
    const row = { ...key, ...plus(sums, delta) }
    await db
      .insert(statistics)
      .values(row)
      .onConflictDoUpdate({ target: [statistics.merchantId, statistics.day, statistics.currency], set: row })
  },
})
