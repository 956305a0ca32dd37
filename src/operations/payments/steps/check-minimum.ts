import type { MethodTerms } from '../../../domain/catalogue.ts'
import { minorOf } from '../../../domain/money.ts'
import type { Order } from '../../../domain/order.ts'
import { isWorthLess } from '../../../domain/quote.ts'
import type { Context } from '../../context.ts'

/** Every source of rates has one of these. Amounts in two currencies are compared through its prices. */
const COMMON_COINS = ['btc', 'ethereum/eth', 'ethereum/usdc']

/** Whether an amount is below a method's minimum. Without rates, another currency is not compared. */
export async function isBelowMinimum(
  { rates }: Pick<Context, 'rates'>,
  { amount, currency }: Pick<Order, 'amount' | 'currency'>,
  { minimum }: Pick<MethodTerms, 'minimum'>,
): Promise<boolean> {
  if (!minimum) return false
  if (minimum.currency !== currency) return isBelowByRates(rates, { amount, currency }, minimum)
  return minorOf(amount, currency) < minorOf(minimum.amount, currency)
}

/** By the first of the coins that has a price in both currencies. */
async function isBelowByRates(
  rates: Context['rates'],
  { amount, currency }: Pick<Order, 'amount' | 'currency'>,
  minimum: NonNullable<MethodTerms['minimum']>,
): Promise<boolean> {
  for (const coin of COMMON_COINS) {
    const own = await rates.rate(coin, currency)
    const other = await rates.rate(coin, minimum.currency)
    if (own && other) {
      return isWorthLess({ amount, currency, rate: own.value }, { ...minimum, rate: other.value })
    }
  }
  return false
}
