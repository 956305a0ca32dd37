import { and, eq } from 'drizzle-orm'
import type { Statistics } from '../../domain/statistics.ts'
import type { StatisticsTable } from '../port.ts'
import { statistics } from '../schema/index.ts'
import type { Db } from './db.ts'
import { first } from './results.ts'
import { columnParams, excludedColumns, lazy, param } from './statements.ts'
import type { StatisticsChange, WriteGroup } from './write-group.ts'

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

const amounts = ['pending', 'gross', 'net', 'refunded', 'cancelled', 'forced'] as const
const counts = ['pendingCount', 'paidCount', 'refundedCount', 'cancelledCount', 'forcedCount'] as const

function plus(sums: Sums, changes: StatisticsChange[]): Sums {
  const total = { ...sums }
  for (const { delta } of changes) {
    for (const name of amounts) if (delta[name] !== undefined) total[name] += delta[name]
    for (const name of counts) if (delta[name] !== undefined) total[name] += delta[name]
  }
  return total
}

/** The sums are stored before the commit, once for all writes that share it. */
export function statisticsTable(db: Db, group: WriteGroup): StatisticsTable & { flush(): Promise<void> } {
  const ofDay = lazy(() =>
    db
      .select()
      .from(statistics)
      .where(
        and(
          eq(statistics.merchantId, param('merchantId')),
          eq(statistics.day, param('day')),
          eq(statistics.currency, param('currency')),
        ),
      )
      .prepare(),
  )
  const put = lazy(() =>
    db
      .insert(statistics)
      .values(columnParams(statistics))
      .onConflictDoUpdate({
        target: [statistics.merchantId, statistics.day, statistics.currency],
        set: excludedColumns(statistics),
      })
      .prepare(),
  )
  async function store(changes: StatisticsChange[]): Promise<void> {
    const [change] = changes
    if (!change) return
    const { merchantId, day, currency } = change
    const key = { merchantId, day, currency }
    const found = first(await ofDay().execute(key))
    const { merchantId: _m, day: _d, currency: _c, ...sums } = found ?? { ...key, ...zero }
    await put().execute({ ...key, ...plus(sums, changes) })
  }
  return {
    async add(merchantId, day, currency, delta) {
      group.addStatistics({ merchantId, day, currency, delta })
    },
    async flush() {
      for (const changes of group.takeStatistics()) await store(changes)
    },
  }
}
