import { and, asc, eq, getTableColumns, gte, lt } from 'drizzle-orm'
import type { SQLiteColumn } from 'drizzle-orm/sqlite-core'
import {
  addSums,
  DAY_MS,
  type MethodSums,
  noPayments,
  noSums,
  type PaidWith,
  QUARTER_HOUR_MS,
  type Sums,
  startOf,
} from '../../domain/statistics.ts'
import { isTestShop } from '../../domain/test-shop.ts'
import type { StatisticsTable } from '../port.ts'
import { methodStatistics, statistics } from '../schema/index.ts'
import type { Db } from './db.ts'
import { numberOfMerchant } from './order-columns.ts'
import { columnParams, conflictOn, excludedColumns, first, lazy, param, updateOf } from './statements.ts'
import { statisticChangesTable } from './statistic-changes.ts'
import { sumsBetween } from './statistics-between.ts'
import type { StatisticsChange, WriteGroup } from './write-group.ts'

type Table = typeof statistics | typeof methodStatistics
type Minutes = 15 | 1440

/** Identifies a row of statistics, by the merchant's ID where the table has a number for the merchant. */
interface Key {
  merchantId: string
  currency: string
  minutes: Minutes
  startsAt: number
  methodKey?: string
  assetId?: string
}

/**
 * An addition to the sums in a row of statistics. It may lack some sums of the row, and contain sums that the
 * row does not have.
 */
interface Cell {
  key: Key
  sums: Partial<Sums>
}

const nameOf = ({ merchantId, currency, minutes, startsAt, methodKey = '', assetId = '' }: Key): string =>
  `${merchantId} ${currency} ${minutes} ${startsAt} ${methodKey} ${assetId}`

/** Merges additions to the same row of statistics into one. */
function collect(cells: Cell[], zero: Partial<Sums>): Cell[] {
  // Most commits have one order. Computing the name of its cell would take longer than the rest.
  if (cells.length < 2) return cells
  const byKey = new Map<string, Cell>()
  for (const { key, sums } of cells) {
    const name = nameOf(key)
    const cell = byKey.get(name) ?? { key, sums: { ...zero } }
    byKey.set(name, cell)
    addSums(cell.sums, sums)
  }
  return [...byKey.values()]
}

/** Returns the additions to the rows of quarter hours and of their days. */
function withDays(changes: Cell[], zero: Partial<Sums>): Cell[] {
  const quarters = collect(changes, zero)
  const ofDays = quarters.map(({ key, sums }) => ({
    key: { ...key, minutes: 1440, startsAt: startOf(key.startsAt, DAY_MS) } as const,
    sums,
  }))
  return [...quarters, ...collect(ofDays, zero)]
}

const cellOf = ({ merchantId, currency, at, delta }: StatisticsChange, paidWith?: PaidWith): Cell => ({
  key: { merchantId, currency, minutes: 15, startsAt: startOf(at, QUARTER_HOUR_MS), ...paidWith },
  sums: delta,
})

/** Returns the change that a cell describes, without sums of zero. */
const changeOf = ({ merchantId, currency, startsAt, methodKey, assetId }: Key, sums: Partial<Sums>) => ({
  merchantId,
  currency,
  at: startsAt,
  delta: Object.fromEntries(Object.entries(sums).filter(([, sum]) => sum)),
  paidWith: methodKey === undefined || assetId === undefined ? undefined : { methodKey, assetId },
})

const inPeriods = (table: Table) => [
  eq(table.currency, param('currency')),
  eq(table.minutes, param('minutes')),
]

/**
 * Conditions on the merchant, the currency and the length of the period. Parameters are named like columns.
 */
const ofMerchant = (table: Table) => [
  eq(table.merchantNumber, numberOfMerchant(param('merchantId'))),
  ...inPeriods(table),
]

/** A row, with only those sums that its table contains. */
type SumsRow = Partial<Sums> & { merchantNumber: number }

/** Returns the new values of the sums that change. */
function changedSums(before: Partial<Sums>, added: Partial<Sums>): Partial<Sums> {
  const change: Record<string, unknown> = {}
  for (const name in added) {
    const sum = name as keyof Sums
    if (added[sum] && before[sum] !== undefined) change[sum] = before[sum]
  }
  return addSums(change as Partial<Sums>, added)
}

/**
 * Returns a function that adds a cell to its row of a table. Each row is read only once while no other
 * process changes it.
 */
function adding(db: Db, table: Table, zero: Partial<Sums>, { sums: stored }: WriteGroup) {
  const names = getTableColumns(table)
  const { methodKey, assetId } = getTableColumns(methodStatistics)
  const ofMethod =
    table === methodStatistics ? [eq(methodKey, param('methodKey')), eq(assetId, param('assetId'))] : []
  const target = [table.merchantNumber, table.minutes, table.currency, table.startsAt]
  const isAt = [eq(table.startsAt, param('startsAt')), ...ofMethod]
  const found = lazy(() =>
    db
      .select()
      .from(table)
      .where(and(...ofMerchant(table), ...isAt))
      .prepare(),
  )
  const isOfNumber = eq(table.merchantNumber, param('merchantNumber'))
  const update = updateOf<typeof statistics, Record<string, unknown>>(
    db,
    table as typeof statistics,
    and(isOfNumber, ...inPeriods(table), ...isAt),
  )
  const put = lazy(() =>
    db
      .insert(table)
      .values({ ...columnParams(table), merchantNumber: numberOfMerchant(param('merchantId')) } as never)
      .onConflictDoUpdate({
        target: conflictOn(...target, ...('methodKey' in names ? [methodKey, assetId] : [])),
        set: excludedColumns(table),
      })
      .prepare(),
  )
  return async ({ key, sums }: Cell): Promise<void> => {
    const name = nameOf(key)
    const row = (stored.get(name) as SumsRow | undefined) ?? first(await found().execute({ ...key }))
    const change = changedSums(row ?? zero, sums)
    // An upsert would take several times as long when it updates the row, and so would updating every sum.
    if (!row) await put().execute({ ...key, ...zero, ...change })
    else if (Object.keys(change).length > 0) {
      await update({ ...key, merchantNumber: row.merchantNumber }, change)
      stored.set(name, { ...row, ...change })
    }
  }
}

interface PeriodStart {
  startsAt: number
}

type ListRows<Row> = (minutes: Minutes, start: number, end: number) => Promise<Row[]>

/** Returns a function that lists the rows of a table by time, with the given columns. */
function listing<Row>(db: Db, table: Table, columns: Record<string, SQLiteColumn>) {
  const listed = lazy(() =>
    db
      .select(columns)
      .from(table as typeof statistics)
      .where(and(...ofMerchant(table), gte(table.startsAt, param('start')), lt(table.startsAt, param('end'))))
      .orderBy(asc(table.startsAt))
      .prepare(),
  )
  return (merchantId: string, currency: string): ListRows<Row> =>
    async (minutes, start, end) =>
      (await listed().execute({ merchantId, currency, minutes, start, end })) as Row[]
}

/** Returns the columns of a table, except those that are used only in conditions. */
function summed(table: Table): Record<string, SQLiteColumn> {
  const { merchantNumber: _, currency: __, minutes: ___, ...columns } = getTableColumns(table)
  return columns
}

const total = { nameOf: () => '', none: (): Sums => ({ ...noSums }) }
const byMethod = {
  nameOf: ({ methodKey, assetId }: MethodSums): string => `${methodKey} ${assetId}`,
  none: ({ methodKey, assetId }: MethodSums): MethodSums => ({ methodKey, assetId, ...noPayments }),
}

interface Listings {
  list(merchantId: string, currency: string): ListRows<Sums & PeriodStart>
  listMethods(merchantId: string, currency: string): ListRows<MethodSums & PeriodStart>
}

const listings = (db: Db): Listings => ({
  list: listing(db, statistics, summed(statistics)),
  listMethods: listing(db, methodStatistics, summed(methodStatistics)),
})

/** Returns listings that include the additions that are not yet part of the sums. */
function withAppended(db: Db, { list, listMethods }: Listings): Listings {
  const appended = statisticChangesTable(db)
  return {
    list: (merchantId, currency) => async (minutes, start, end) => {
      const rows = await list(merchantId, currency)(minutes, start, end)
      const more = await appended.list(merchantId, currency, minutes, start, end)
      return [...rows, ...more.map(({ startsAt, sums }) => ({ startsAt, ...addSums({ ...noSums }, sums) }))]
    },
    listMethods: (merchantId, currency) => async (minutes, start, end) => {
      const rows = await listMethods(merchantId, currency)(minutes, start, end)
      const more = await appended.list(merchantId, currency, minutes, start, end)
      for (const { startsAt, sums, paidWith } of more)
        if (paidWith) rows.push({ startsAt, ...paidWith, ...addSums({ ...noPayments }, sums) })
      return rows
    },
  }
}

/** Stores the sums that writes have changed. `flush` must be called before each commit. */
interface StoredSums {
  flush(): Promise<void>
  /** Adds up to `limit` of the appended additions to the sums. Returns their number. */
  fold(limit: number): Promise<number>
}

/**
 * Stores sums once before each commit, for all writes that share it. If other connections write too,
 * additions are appended to a list, and `fold` adds them later. Reads include both.
 */
export function statisticsTable(db: Db, group: WriteGroup): StatisticsTable & StoredSums {
  const isAppended = db.dialect.hasManyWriters
  const appended = statisticChangesTable(db)
  const add = adding(db, statistics, noSums, group)
  const addToMethod = adding(db, methodStatistics, noPayments, group)
  const { list, listMethods } = isAppended ? withAppended(db, listings(db)) : listings(db)
  const currencies = lazy(() =>
    db
      .select({ currency: statistics.currency })
      .from(statistics)
      .where(
        and(
          eq(statistics.merchantNumber, numberOfMerchant(param('merchantId'))),
          eq(statistics.minutes, param('minutes')),
        ),
      )
      .groupBy(statistics.currency)
      .orderBy(asc(statistics.currency))
      .prepare(),
  )
  async function store(changes: StatisticsChange[]): Promise<void> {
    const totals = changes.map(change => cellOf(change))
    for (const cell of withDays(totals, noSums)) await add(cell)
    const ofMethods = changes.flatMap(change => (change.paidWith ? [cellOf(change, change.paidWith)] : []))
    for (const cell of withDays(ofMethods, noPayments)) await addToMethod(cell)
  }
  return {
    async add(merchantId, at, currency, delta, paidWith) {
      if (!isTestShop(merchantId)) group.addStatistics({ merchantId, at, currency, delta, paidWith })
    },
    async flush() {
      const changes = group.takeStatistics()
      if (changes.length === 0) return
      if (!isAppended) return store(changes)
      for (const { key, sums } of collect(
        changes.map(change => cellOf(change, change.paidWith)),
        noSums,
      ))
        await appended.append(changeOf(key, sums))
    },
    async fold(limit) {
      const changes = await appended.take(limit)
      if (changes.length > 0) await store(changes)
      return changes.length
    },
    async listCurrencies(merchantId) {
      const rows = await currencies().execute({ merchantId, minutes: 1440 })
      const names = rows.map(({ currency }) => currency)
      if (!isAppended) return names
      return [...new Set([...names, ...(await appended.listCurrencies(merchantId))])].sort()
    },
    async listSums(merchantId, currency, boundaries) {
      const periods = await sumsBetween(list(merchantId, currency), total, boundaries)
      return periods.map(sums => sums.get('') ?? { ...noSums })
    },
    async listMethodSums(merchantId, currency, from, to) {
      const [sums] = await sumsBetween(listMethods(merchantId, currency), byMethod, [from, to])
      return [...(sums?.values() ?? [])].filter(
        ({ paidCount, refundedCount }) => paidCount > 0 || refundedCount > 0,
      )
    },
  }
}
