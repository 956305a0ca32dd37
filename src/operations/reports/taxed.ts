import type { CalendarDate } from '../../domain/calendar.ts'
import { currencyDecimals } from '../../domain/currency.ts'
import { invalid } from '../../domain/errors.ts'
import { type Amount, minorOf } from '../../domain/money.ts'
import type { TaxCategory, TaxRate } from '../../domain/tax.ts'
import type { Context } from '../context.ts'
import { exportMovements } from './movements.ts'
import type { RangeRequest } from './steps/range.ts'

/** The sales in one country at one rate, in minor units. */
export interface TaxedSum {
  /** country of the buyer; of the shop, if the order does not say it */
  country: string
  category: TaxCategory
  rate: TaxRate
  net: bigint
  tax: bigint
}

export interface TaxReport {
  timeZone: string
  firstDay: CalendarDate
  lastDay: CalendarDate
  currency: string
  /** sums by country and rate */
  sums: TaxedSum[]
  /** the amounts of orders that were created without tax settings */
  untaxed: bigint
}

/** Types of movements that are sales, or take back a part of a sale. */
const sales: ReadonlySet<string> = new Set(['payment', 'shortfall', 'refund', 'forced'])

const signed = (amount: Amount, currency: string): bigint =>
  amount.startsWith('-') ? -minorOf(amount.slice(1), currency) : minorOf(amount, currency)

/**
 * The tax of the payments in a range of days, less that of refunds and shortfalls, by country and rate. What
 * was paid beyond an order's amount has no tax.
 */
export async function readTaxed(
  context: Pick<Context, 'storage' | 'networks' | 'clock'>,
  request: RangeRequest & { currency: string },
): Promise<TaxReport> {
  const { currency, from: firstDay } = request
  if (currencyDecimals(currency) === undefined) {
    throw invalid('currency', 'must be an ISO 4217 code of a currency in use')
  }
  const { timeZone, lastDay, movements } = await exportMovements(context, request)
  const sums = new Map<string, TaxedSum>()
  let untaxed = 0n
  for await (const { type, amount, tax, currency: ofOrder } of movements) {
    if (ofOrder !== currency || amount === null || !sales.has(type)) continue
    if (tax === null) {
      untaxed += signed(amount, currency)
      continue
    }
    const country = tax.country ?? tax.seller.country
    for (const { category, rate, net, tax: share } of tax.lines) {
      const key = `${country} ${category} ${rate}`
      const sum = sums.get(key) ?? { country, category, rate, net: 0n, tax: 0n }
      sum.net += signed(net, currency)
      sum.tax += signed(share, currency)
      sums.set(key, sum)
    }
  }
  const byCountry = [...sums.values()].sort(
    (a, b) =>
      a.country.localeCompare(b.country, 'en') || b.rate - a.rate || a.category.localeCompare(b.category),
  )
  return { timeZone, firstDay, lastDay, currency, sums: byCountry, untaxed }
}
