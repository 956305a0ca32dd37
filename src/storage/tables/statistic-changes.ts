import { and, asc, eq, gte, inArray, lt } from 'drizzle-orm'
import { DAY_MS, QUARTER_HOUR_MS, type Sums, startOf } from '../../domain/statistics.ts'
import { statisticChanges as changes } from '../schema/index.ts'
import type { Db } from './db.ts'
import { insertInto, lazy, limitParam, param } from './statements.ts'
import type { StatisticsChange } from './write-group.ts'

type Row = typeof changes.$inferSelect

/** Returns sums as they are stored. Amounts become strings, because JSON has no integers of any size. */
const deltaOf = (sums: Partial<Sums>): Row['delta'] =>
  Object.fromEntries(
    Object.entries(sums).map(([name, value]) => [name, typeof value === 'bigint' ? `${value}` : value]),
  )

const sumsOf = (delta: Row['delta']): Partial<Sums> =>
  Object.fromEntries(
    Object.entries(delta).map(([name, value]) => [name, typeof value === 'string' ? BigInt(value) : value]),
  )

const changeOf = ({ merchantId, currency, startsAt, methodKey, assetId, delta }: Row): StatisticsChange => ({
  merchantId,
  currency,
  at: startsAt,
  delta: sumsOf(delta),
  paidWith: methodKey === null || assetId === null ? undefined : { methodKey, assetId },
})

/**
 * The additions that are not yet part of the sums. Concurrent writes append to this list: if they added to
 * the same row of sums, most of them would have to run again.
 */
export function statisticChangesTable(db: Db) {
  const insert = insertInto(db, changes)
  const isOf = [eq(changes.merchantId, param('merchantId')), eq(changes.currency, param('currency'))]
  const listed = lazy(() =>
    db
      .select()
      .from(changes)
      .where(and(...isOf, gte(changes.startsAt, param('start')), lt(changes.startsAt, param('end'))))
      .prepare(),
  )
  const currencies = lazy(() =>
    db
      .select({ currency: changes.currency })
      .from(changes)
      .where(eq(changes.merchantId, param('merchantId')))
      .groupBy(changes.currency)
      .prepare(),
  )
  const oldest = db.select({ id: changes.id }).from(changes).orderBy(asc(changes.id)).limit(limitParam())
  const taken = lazy(() => db.delete(changes).where(inArray(changes.id, oldest)).returning().prepare())
  return {
    async append({ merchantId, at, currency, delta, paidWith }: StatisticsChange): Promise<void> {
      const startsAt = startOf(at, QUARTER_HOUR_MS)
      const { methodKey = null, assetId = null } = paidWith ?? {}
      const id = crypto.randomUUID()
      await insert({ id, merchantId, currency, startsAt, methodKey, assetId, delta: deltaOf(delta) })
    },
    /** Removes up to `limit` additions to statistics, and returns them. */
    take: async (limit: number): Promise<StatisticsChange[]> =>
      (await taken().execute({ limit })).map(changeOf),
    /** Lists the additions in a range, as rows of quarter hours or of days. */
    async list(merchantId: string, currency: string, minutes: 15 | 1440, start: number, end: number) {
      const rows = await listed().execute({ merchantId, currency, start, end })
      return rows.map(changeOf).map(({ at, delta, paidWith }) => ({
        startsAt: minutes === 15 ? at : startOf(at, DAY_MS),
        sums: delta,
        paidWith,
      }))
    },
    listCurrencies: async (merchantId: string) =>
      (await currencies().execute({ merchantId })).map(({ currency }) => currency),
  }
}
