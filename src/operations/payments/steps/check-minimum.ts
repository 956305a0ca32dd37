import type { MethodTerms } from '../../../domain/catalogue.ts'
import { minorOf } from '../../../domain/money.ts'
import type { Order } from '../../../domain/order.ts'
import { isWorthLess } from '../../../domain/quote.ts'
import type { RateOf } from '../../../rates/port.ts'
import type { Context } from '../../context.ts'
import { ratesBetween } from './allowance.ts'

type Terms = Pick<MethodTerms, 'minimum' | 'minimums'>

/** The least amount of orders in a currency, which may be in another currency; null for any. */
export function minimumIn({ minimum, minimums }: Terms, currency: string): Terms['minimum'] {
  const amount = minimums?.[currency]
  return amount === undefined ? minimum : { amount, currency }
}

/** The prices for comparing minimums in other currencies. Fetches nothing if there are no such minimums. */
export const ratesForMinimums = async (
  { rates }: Pick<Context, 'rates'>,
  { currency }: Pick<Order, 'currency'>,
  methods: readonly Terms[],
): Promise<RateOf> =>
  methods.some(method => (minimumIn(method, currency)?.currency ?? currency) !== currency)
    ? rates.latest()
    : () => null

/** True if an amount is below a method's minimum. Without rates, another currency is not compared. */
export function isBelowMinimum(
  rateOf: RateOf,
  { amount, currency }: Pick<Order, 'amount' | 'currency'>,
  method: Terms,
): boolean {
  const minimum = minimumIn(method, currency)
  if (!minimum) return false
  if (minimum.currency === currency) return minorOf(amount, currency) < minorOf(minimum.amount, currency)
  const rates = ratesBetween(rateOf, currency, minimum.currency)
  return (
    rates !== null && isWorthLess({ amount, currency, rate: rates.own }, { ...minimum, rate: rates.other })
  )
}
