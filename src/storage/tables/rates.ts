import { and, asc, desc, eq, gt, gte, lt, lte, type SQL, sql } from 'drizzle-orm'
import type { SQLiteColumn } from 'drizzle-orm/sqlite-core'
import type { FetchedRates, RateHistory } from '../port.ts'
import { fetchedRates, rates, watchedRates } from '../schema/index.ts'
import type { Db } from './db.ts'
import { columnParams, conflictOn, excludedColumns, first, lazy, limitParam, param } from './statements.ts'

const MINUTE_MS = 60_000

const minuteOf = (at: number): number => at - (at % MINUTE_MS)

/** Returns the greater value. Uses a CASE because the engines' functions for it differ. */
const laterOf = (a: SQLiteColumn, b: SQL): SQL => sql`CASE WHEN ${a} > ${b} THEN ${a} ELSE ${b} END`

/** Finds the nearest rate to a time, within a range before and after it. */
function nearestRate(db: Db): RateHistory['nearest'] {
  const one = (where: SQL | undefined, order: SQL) =>
    db
      .select()
      .from(rates)
      .where(and(eq(rates.assetId, param('assetId')), eq(rates.currency, param('currency')), where))
      .orderBy(order)
      .limit(limitParam())
      .prepare()
  const before = lazy(() =>
    one(and(lte(rates.at, param('at')), gte(rates.at, param('from'))), desc(rates.at)),
  )
  const after = lazy(() => one(and(gt(rates.at, param('at')), lte(rates.at, param('to'))), asc(rates.at)))
  return async ({ assetId, currency }, at, range) => {
    const given = { assetId, currency, at, limit: 1 }
    const earlier = first(await before().execute({ ...given, from: at - range }))
    const later = first(await after().execute({ ...given, to: at + range }))
    if (!earlier || !later) return earlier ?? later
    return at - earlier.at <= later.at - at ? earlier : later
  }
}

export function ratesTable(db: Db): RateHistory {
  const { assetId, currency, watchedUntil, lockedUntil } = watchedRates
  const watch = lazy(() =>
    db
      .insert(watchedRates)
      .values(columnParams(watchedRates))
      .onConflictDoUpdate({
        target: conflictOn(watchedRates.assetId, watchedRates.currency),
        set: {
          watchedUntil: laterOf(watchedRates.watchedUntil, sql`excluded.watched_until`),
          lockedUntil: laterOf(watchedRates.lockedUntil, sql`excluded.locked_until`),
        },
      })
      .prepare(),
  )
  const watched = lazy(() =>
    db
      .select({ assetId, currency, until: watchedUntil, lockedUntil })
      .from(watchedRates)
      .where(gt(watchedRates.watchedUntil, param('now')))
      .orderBy(asc(watchedRates.assetId), asc(watchedRates.currency))
      .prepare(),
  )
  const insert = lazy(() => db.insert(rates).values(columnParams(rates)).onConflictDoNothing().prepare())
  const oldest = lazy(() =>
    db.select({ at: rates.at }).from(rates).orderBy(asc(rates.at)).limit(limitParam()).prepare(),
  )
  const pruning = lazy(() =>
    db
      .delete(rates)
      .where(lt(rates.at, param('before')))
      .prepare(),
  )
  return {
    async watch({ until, ...pair }) {
      await watch().execute({ ...pair, watchedUntil: until })
    },
    watched: async now => watched().execute({ now }),
    async keep(rate) {
      await insert().execute({ ...rate, at: minuteOf(rate.at) })
    },
    nearest: nearestRate(db),
    oldest: async () => first(await oldest().execute({ limit: 1 }))?.at ?? null,
    async prune(before) {
      await pruning().execute({ before })
    },
  }
}

export function fetchedRatesTable(db: Db): FetchedRates {
  const ofSource = lazy(() =>
    db
      .select()
      .from(fetchedRates)
      .where(eq(fetchedRates.source, param('source')))
      .prepare(),
  )
  const put = lazy(() =>
    db
      .insert(fetchedRates)
      .values(columnParams(fetchedRates))
      .onConflictDoUpdate({ target: conflictOn(fetchedRates.source), set: excludedColumns(fetchedRates) })
      .prepare(),
  )
  return {
    find: async source => first(await ofSource().execute({ source })),
    async put(row) {
      await put().execute({ ...row })
    },
  }
}
