import { type Awaitable, whenKnown } from '../../../domain/awaitable.ts'
import type { MethodTerms } from '../../../domain/catalogue.ts'
import { minorOf } from '../../../domain/money.ts'
import type { Order } from '../../../domain/order.ts'
import { isWorthLess } from '../../../domain/quote.ts'
import type { Context } from '../../context.ts'

/** Every source of rates has one of these. Amounts in two currencies are compared through its prices. */
const COMMON_COINS = ['btc', 'ethereum/eth', 'ethereum/usdc']

/**
 * Whether an amount is below a method's minimum. Without rates, another currency is not compared. A promise
 * only where rates have to be fetched: a page asks this for each method.
 */
export function isBelowMinimum(
  { rates }: Pick<Context, 'rates'>,
  { amount, currency }: Pick<Order, 'amount' | 'currency'>,
  { minimum }: Pick<MethodTerms, 'minimum'>,
): Awaitable<boolean> {
  if (!minimum) return false
  if (minimum.currency !== currency) return isBelowByRates(rates, { amount, currency }, minimum)
  return minorOf(amount, currency) < minorOf(minimum.amount, currency)
}

/** By the first of the coins that has a price in both currencies. */
function isBelowByRates(
  rates: Context['rates'],
  { amount, currency }: Pick<Order, 'amount' | 'currency'>,
  minimum: NonNullable<MethodTerms['minimum']>,
  [coin, ...others]: readonly string[] = COMMON_COINS,
): Awaitable<boolean> {
  if (coin === undefined) return false
  return whenKnown(rates.rate(coin, currency), own =>
    whenKnown(rates.rate(coin, minimum.currency), other =>
      own && other
        ? isWorthLess({ amount, currency, rate: own.value }, { ...minimum, rate: other.value })
        : isBelowByRates(rates, { amount, currency }, minimum, others),
    ),
  )
}
