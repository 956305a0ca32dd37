import type { CalendarDate, Period, PeriodLength } from '../../domain/calendar.ts'
import { periodsOf } from '../../domain/calendar.ts'
import { currencyDecimals } from '../../domain/currency.ts'
import { invalid } from '../../domain/errors.ts'
import {
  addSums,
  type MethodSums,
  noPayments,
  noSums,
  type PaymentSums,
  type Sums,
} from '../../domain/statistics.ts'
import type { Tables } from '../../storage/port.ts'
import type { Context } from '../context.ts'
import { type RangeRequest, rangeOf } from './steps/range.ts'

/** Max rows of a report. */
const PERIODS_MAX = 400

type ReportContext = Pick<Context, 'storage' | 'clock'>

interface ReportRequest extends RangeRequest {
  by: PeriodLength
  /** the shop's currency by default, or the one with the most paid orders */
  currency?: string | undefined
}

interface PeriodSums {
  period: Period
  sums: Sums
}

interface NamedSums {
  /** name of a method or an asset */
  name: string
  sums: PaymentSums
}

export interface Report {
  timeZone: string
  firstDay: CalendarDate
  lastDay: CalendarDate
  by: PeriodLength
  /** currencies of the merchant's orders, with their sums in the range, most paid orders first */
  currencies: { currency: string; sums: Sums }[]
  /** the currency of everything below; null if the merchant never had an order */
  currency: string | null
  total: Sums
  periods: PeriodSums[]
  /** payments and refunds by payment method, largest amount first */
  methods: NamedSums[]
  /** payments and refunds by asset, which is a coin, or a currency of a charge */
  assets: NamedSums[]
}

/**
 * The sums of a merchant in a range of days of the shop's time zone, by day, week or month. Amounts are in
 * minor units of the report's currency.
 */
export async function readReport(context: ReportContext, request: ReportRequest): Promise<Report> {
  const { merchantId, by } = request
  if (request.currency !== undefined && currencyDecimals(request.currency) === undefined) {
    throw invalid('currency', 'must be an ISO 4217 code of a currency in use')
  }
  return context.storage.read(async tables => {
    const { firstDay, lastDay, timeZone } = await rangeOf(context, tables, request)
    const periods = periodsOf(firstDay, lastDay, by, timeZone)
    if (periods.length > PERIODS_MAX) {
      throw invalid('to', `must be earlier, or choose longer periods: at most ${PERIODS_MAX} rows`)
    }
    const boundaries = [...periods.slice(0, 1).map(({ from }) => from), ...periods.map(({ to }) => to)]
    const [from, to] = [boundaries[0] ?? 0, boundaries.at(-1) ?? 0]
    const currencies = await sumsByCurrency(tables, merchantId, from, to)
    const currency = request.currency ?? (await firstShown(tables, merchantId, currencies))
    const range = { timeZone, firstDay, lastDay, by, currencies, currency }
    if (currency === null) return { ...range, total: noSums, periods: [], methods: [], assets: [] }
    const sums = await tables.statistics.listSums(merchantId, currency, boundaries)
    const methodSums = await tables.statistics.listMethodSums(merchantId, currency, from, to)
    return {
      ...range,
      total: sums.reduce<Sums>((total, more) => addSums(total, more), { ...noSums }),
      periods: periods.map((period, index) => ({ period, sums: sums[index] ?? noSums })),
      methods: grouped(methodSums, 'methodKey'),
      assets: grouped(methodSums, 'assetId'),
    }
  })
}

/** The currency of the shop if it has orders in it, otherwise the one with the most paid orders. */
async function firstShown(
  tables: Tables,
  merchantId: string,
  currencies: Report['currencies'],
): Promise<string | null> {
  const usual = (await tables.merchants.find(merchantId))?.currency
  const shown = currencies.find(({ currency }) => currency === usual) ?? currencies[0]
  return shown?.currency ?? null
}

async function sumsByCurrency(tables: Tables, merchantId: string, from: number, to: number) {
  const found: Report['currencies'] = []
  for (const currency of await tables.statistics.listCurrencies(merchantId)) {
    const [sums = noSums] = await tables.statistics.listSums(merchantId, currency, [from, to])
    found.push({ currency, sums })
  }
  const most = (count: 'paidCount' | 'createdCount') => (a: (typeof found)[0], b: (typeof found)[0]) =>
    b.sums[count] - a.sums[count]
  return found.sort(most('createdCount')).sort(most('paidCount'))
}

function grouped(sums: MethodSums[], by: 'methodKey' | 'assetId'): NamedSums[] {
  const groups = [...Map.groupBy(sums, row => row[by])].map(([name, rows]) => ({
    name,
    sums: rows.reduce<PaymentSums>((total, row) => addSums(total, row), { ...noPayments }),
  }))
  return groups.sort((a, b) => Number(b.sums.gross - a.sums.gross) || (a.name < b.name ? -1 : 1))
}
