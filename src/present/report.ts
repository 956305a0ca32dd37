import { amountOf } from '../domain/money.ts'
import { feesOf, type PaymentSums, type Sums } from '../domain/statistics.ts'
import type { Report } from '../operations/reports/read.ts'
import { csvFile } from './csv.ts'

const presentPayments = (sums: PaymentSums, currency: string) => ({
  paid: sums.paidCount,
  gross: amountOf(sums.gross, currency),
  fees: amountOf(feesOf(sums), currency),
  refundCount: sums.refundedCount,
  refunds: amountOf(sums.refunded, currency),
  net: amountOf(sums.net, currency),
})

/** Percentage of the created orders that were paid: "66.7"; null if none were created. */
const conversionOf = ({ createdCount, convertedCount }: Sums): string | null =>
  createdCount === 0 ? null : ((convertedCount / createdCount) * 100).toFixed(1)

const presentSums = (sums: Sums, currency: string) => ({
  orders: sums.createdCount,
  converted: sums.convertedCount,
  conversion: conversionOf(sums),
  ...presentPayments(sums, currency),
  cancelled: amountOf(sums.cancelled, currency),
  forced: amountOf(sums.forced, currency),
})

/** A report as JSON. Amounts are decimal strings of the report's currency. */
export function presentReport(report: Report) {
  const { timeZone, firstDay, lastDay, by, currency, total, periods, methods, assets } = report
  const currencies = report.currencies.map(one => ({
    currency: one.currency,
    ...presentSums(one.sums, one.currency),
  }))
  const range = { from: firstDay, to: lastDay, timeZone, by, currencies, currency }
  if (currency === null) return { ...range, total: null, periods: [], methods: [], assets: [] }
  return {
    ...range,
    total: presentSums(total, currency),
    periods: periods.map(({ period, sums }) => ({
      from: period.firstDay,
      to: period.lastDay,
      ...presentSums(sums, currency),
    })),
    methods: methods.map(({ name, sums }) => ({ methodKey: name, ...presentPayments(sums, currency) })),
    assets: assets.map(({ name, sums }) => ({ assetId: name, ...presentPayments(sums, currency) })),
  }
}

const columns = [
  'from',
  'to',
  'orders',
  'converted',
  'conversion',
  'paid',
  'gross',
  'fees',
  'refundCount',
  'refunds',
  'net',
  'cancelled',
  'forced',
] as const

/** The periods of a report as a CSV file, in pieces. */
export function reportCsv(report: Report): AsyncGenerator<string> {
  const { periods, currency } = presentReport(report)
  const rows = periods.map(period => [...columns.map(name => period[name]), currency])
  return csvFile([...columns, 'currency'], rows)
}
