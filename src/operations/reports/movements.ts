import { addDays, type CalendarDate, startOfDay } from '../../domain/calendar.ts'
import { amountOf, minorOf } from '../../domain/money.ts'
import type { PageStart } from '../../domain/page.ts'
import type { MovementRange, RefundRow, Tables } from '../../storage/port.ts'
import type { Context } from '../context.ts'
import type { Movement } from './movement.ts'
import {
  ofForced,
  ofNetworkFee,
  ofPayment,
  ofRefund,
  ofUnmatched,
  type StoredMovement,
} from './steps/movements-of.ts'
import { type RangeRequest, rangeOf } from './steps/range.ts'

/** Max rows per read, so that a long export holds few of them and other reads can run in between. */
const ROWS_AT_ONCE = 500

/** Max earlier refunds of an order that are added up for its tax. */
const FORMER_MAX = 10_000

export interface MovementExport {
  timeZone: string
  lastDay: CalendarDate
  /** the movements, oldest first */
  movements: AsyncGenerator<Movement>
}

type ListPage<Row> = (tables: Tables, limit: number, after: PageStart | null) => Promise<Row[]>

/** The movements of one kind, page by page. */
async function* paged<Row>(
  { storage, networks }: Pick<Context, 'storage' | 'networks'>,
  list: ListPage<Row>,
  movementsOf: (row: Row) => StoredMovement[],
): AsyncGenerator<Movement> {
  for (let after: PageStart | null = null; ; ) {
    const start: PageStart | null = after
    const rows: Row[] = await storage.read(tables => list(tables, ROWS_AT_ONCE, start))
    const movements = rows.flatMap(movementsOf).map(movement => {
      const asset = movement.assetId === null ? undefined : networks.asset(movement.assetId)
      return { ...movement, assetName: asset?.name ?? null }
    })
    yield* movements
    const last = movements.at(-1)
    if (!last || rows.length < ROWS_AT_ONCE) return
    after = { at: last.at, id: last.id }
  }
}

/**
 * The refunds of a range. If an order has tax, each of its refunds comes with the sum of the earlier ones.
 */
async function listRefunds(
  tables: Tables,
  range: MovementRange,
  limit: number,
  after: PageStart | null,
): Promise<RefundRow[]> {
  const rows = await tables.movements.listRefunds(range, limit, after)
  const withSums: RefundRow[] = []
  for (const row of rows) {
    const { orderId, currency, id, createdAt: at } = row.refund
    const former = row.order.tax === null ? [] : await tables.refunds.list(orderId, FORMER_MAX, { at, id })
    const sum = former.reduce((total, one) => total + minorOf(one.amount, currency), 0n)
    withSums.push({ ...row, before: amountOf(sum, currency) })
  }
  return withSums
}

/** Merges lists that are sorted by time. */
async function* merged(sources: AsyncGenerator<Movement>[]): AsyncGenerator<Movement> {
  const heads = await Promise.all(sources.map(async source => ({ source, next: await source.next() })))
  for (;;) {
    const open = heads.filter(({ next }) => !next.done)
    const [first] = open.sort((a, b) => a.next.value.at - b.next.value.at)
    if (!first) return
    yield first.next.value
    first.next = await first.source.next()
  }
}

/**
 * Every movement of a merchant's money in a range of days of the shop's time zone. Reads a part at a time, so
 * that an export of any length needs little memory.
 */
export async function exportMovements(
  context: Pick<Context, 'storage' | 'networks' | 'clock'>,
  request: RangeRequest,
): Promise<MovementExport> {
  const { merchantId } = request
  const { firstDay, lastDay, timeZone } = await context.storage.read(tables =>
    rangeOf(context, tables, request),
  )
  const range: MovementRange = {
    merchantId,
    from: startOfDay(firstDay, timeZone),
    to: startOfDay(addDays(lastDay, 1), timeZone),
  }
  const movements = merged([
    paged(context, ({ movements }, ...page) => movements.listPayments(range, ...page), ofPayment(context)),
    paged(context, (tables, ...page) => listRefunds(tables, range, ...page), ofRefund(context)),
    paged(context, ({ movements }, ...page) => movements.listForced(range, ...page), ofForced),
    paged(context, ({ movements }, ...page) => movements.listNetworkFees(range, ...page), ofNetworkFee),
    paged(context, ({ movements }, ...page) => movements.listUnmatched(range, ...page), ofUnmatched(context)),
  ])
  return { timeZone, lastDay, movements }
}
