import { and, asc, desc, eq, gt, gte, lt, lte, type SQL, sql } from 'drizzle-orm'
import type { SQLiteColumn } from 'drizzle-orm/sqlite-core'
import type { RateHistory, RatePair } from '../port.ts'
import { rates, watchedRates } from '../schema/index.ts'
import type { Db } from './db.ts'
import { first } from './results.ts'
import { columnParams, lazy } from './statements.ts'

const MINUTE_MS = 60_000

const minuteOf = (at: number): number => at - (at % MINUTE_MS)

/** Databases have different functions for the greater of two values. */
const later = (a: SQLiteColumn, b: SQL): SQL => sql`CASE WHEN ${a} > ${b} THEN ${a} ELSE ${b} END`

export function ratesTable(db: Db): RateHistory {
  const { assetId, currency, watchedUntil, lockedUntil } = watchedRates
  const isOf = ({ assetId, currency }: RatePair) =>
    and(eq(rates.assetId, assetId), eq(rates.currency, currency))
  const watch = lazy(() =>
    db
      .insert(watchedRates)
      .values(columnParams(watchedRates))
      .onConflictDoUpdate({
        target: [watchedRates.assetId, watchedRates.currency],
        set: {
          watchedUntil: later(watchedRates.watchedUntil, sql`excluded.watched_until`),
          lockedUntil: later(watchedRates.lockedUntil, sql`excluded.locked_until`),
        },
      })
      .prepare(),
  )
  return {
    async watch({ until, ...pair }) {
      await watch().execute({ ...pair, watchedUntil: until })
    },
    watched: async now =>
      db
        .select({ assetId, currency, until: watchedUntil, lockedUntil })
        .from(watchedRates)
        .where(gt(watchedRates.watchedUntil, now))
        .orderBy(asc(watchedRates.assetId), asc(watchedRates.currency)),
    async keep(rate) {
      await db
        .insert(rates)
        .values({ ...rate, at: minuteOf(rate.at) })
        .onConflictDoNothing()
    },
    async nearest(pair, at, range) {
      const one = (where: ReturnType<typeof and>, order: ReturnType<typeof asc>) =>
        db
          .select()
          .from(rates)
          .where(and(isOf(pair), where))
          .orderBy(order)
          .limit(1)
      const before = first(await one(and(lte(rates.at, at), gte(rates.at, at - range)), desc(rates.at)))
      const after = first(await one(and(gt(rates.at, at), lte(rates.at, at + range)), asc(rates.at)))
      if (!before || !after) return before ?? after
      return at - before.at <= after.at - at ? before : after
    },
    async oldest() {
      const found = first(await db.select({ at: rates.at }).from(rates).orderBy(asc(rates.at)).limit(1))
      return found?.at ?? null
    },
    async prune(before, now) {
      await db.delete(rates).where(lt(rates.at, before))
      await db.delete(watchedRates).where(lte(watchedRates.watchedUntil, now))
    },
  }
}
