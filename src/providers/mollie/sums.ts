import { currencies, currencyDecimals } from '../../domain/currency.ts'
import { type Amount, amountOf, toUnits } from '../../domain/money.ts'
import { isObject } from '../answer.ts'

/** The currencies that Mollie takes payments in. Its amounts have the decimals of ISO 4217, as Florin's. */
const taken = [
  ...'AED AUD BRL CAD CHF CZK DKK EUR GBP HKD HUF ILS ISK JPY'.split(' '),
  ...'MXN MYR NOK NZD PHP PLN RON SEK SGD THB TWD USD ZAR'.split(' '),
]

/** The currencies of orders that can be charged. */
export const chargeable: string[] = currencies.filter(currency => taken.includes(currency))

/** An amount of an answer; null if it is no amount of a known currency. */
export function readSum(sum: unknown): { amount: Amount; currency: string } | null {
  const { value, currency } = isObject(sum) ? sum : {}
  const decimals = typeof currency === 'string' ? currencyDecimals(currency) : undefined
  if (typeof currency !== 'string' || typeof value !== 'string' || decimals === undefined) return null
  const units = toUnits(value, decimals)
  return units === null ? null : { amount: amountOf(units, currency), currency }
}
