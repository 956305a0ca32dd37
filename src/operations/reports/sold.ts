import { addDays, type CalendarDate, countDays, startOfDay } from '../../domain/calendar.ts'
import { invalid } from '../../domain/errors.ts'
import { minorOf } from '../../domain/money.ts'
import type { PageStart } from '../../domain/page.ts'
import type { PaymentRow, Tables } from '../../storage/port.ts'
import type { Context } from '../context.ts'
import { type RangeRequest, rangeOf } from './steps/range.ts'

const ROWS_AT_ONCE = 500
const DAYS_MAX = 400

/** Sales in minor units, and in `before` those of the same number of days before. */
export interface Sold {
  /** name of the product, or of the person who created or accepted the order; null for other orders */
  name: string | null
  count: number
  gross: bigint
  before: bigint
}

export interface SoldReport {
  firstDay: CalendarDate
  lastDay: CalendarDate
  /** first and last of the days before, for comparison */
  before: [CalendarDate, CalendarDate]
  /** largest sales first */
  products: Sold[]
  /** largest sales first; the names are "user:ID", or as acceptances contain them */
  people: Sold[]
}

const personOf = ({ order, evidence }: PaymentRow): string | null => {
  const { acceptedBy = null } = (evidence ?? {}) as { acceptedBy?: string | null }
  return order.createdBy ?? acceptedBy
}

class Totals {
  readonly #rows = new Map<string | null, Sold>()

  add(name: string | null, gross: bigint, isBefore: boolean): void {
    const row = this.#rows.get(name) ?? { name, count: 0, gross: 0n, before: 0n }
    this.#rows.set(name, row)
    if (isBefore) row.before += gross
    else {
      row.gross += gross
      row.count++
    }
  }

  sorted(): Sold[] {
    return [...this.#rows.values()].sort((a, b) => Number(b.gross - a.gross) || Number(b.before - a.before))
  }
}

/** The sales in a range of days, by product and by person, compared with the same number of days before. */
export async function readSold(
  context: Pick<Context, 'storage' | 'clock'>,
  request: RangeRequest & { currency: string },
): Promise<SoldReport> {
  const { storage } = context
  const { merchantId, currency } = request
  const { firstDay, lastDay, timeZone } = await storage.read(tables => rangeOf(context, tables, request))
  const days = countDays(firstDay, lastDay)
  if (days > DAYS_MAX) throw invalid('to', `must be at most ${DAYS_MAX} days after the first day`)
  const before: [CalendarDate, CalendarDate] = [addDays(firstDay, -days), addDays(firstDay, -1)]
  const start = startOfDay(firstDay, timeZone)
  const range = {
    merchantId,
    from: startOfDay(before[0], timeZone),
    to: startOfDay(addDays(lastDay, 1), timeZone),
  }
  const [products, people] = [new Totals(), new Totals()]
  const list = (after: PageStart | null) => (tables: Tables) =>
    tables.movements.listPayments(range, ROWS_AT_ONCE, after)
  for (let after: PageStart | null = null; ; ) {
    const rows: PaymentRow[] = await storage.read(list(after))
    for (const row of rows.filter(({ transaction }) => transaction.currency === currency)) {
      const { amount, createdAt } = row.transaction
      const gross = minorOf(amount, currency)
      products.add(row.order.productName, gross, createdAt < start)
      people.add(personOf(row), gross, createdAt < start)
    }
    const last = rows.at(-1)
    if (!last || rows.length < ROWS_AT_ONCE) break
    after = { at: last.transaction.createdAt, id: last.transaction.id }
  }
  return { firstDay, lastDay, before, products: products.sorted(), people: people.sorted() }
}
