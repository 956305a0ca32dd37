import { currencies } from '../../domain/currency.ts'
import type { Amount } from '../../domain/money.ts'
import { isObject, type JsonObject } from '../answer.ts'
import { type Sum, sumOf, withoutDecimals } from '../sum.ts'

/** The currencies in which accounts of most countries can take payments with PayPal. */
const taken = [
  ...'AUD BRL CAD CHF CZK DKK EUR GBP HKD HUF ILS JPY'.split(' '),
  ...'MXN MYR NOK NZD PHP PLN SEK SGD THB TWD USD'.split(' '),
]
/** The currencies in which PayPal takes only whole amounts. */
const whole = ['HUF', 'JPY', 'TWD']

/** The currencies of orders that can be charged. */
export const chargeable: string[] = currencies.filter(currency => taken.includes(currency))

/** An amount in PayPal's format; null if it cannot be charged exactly. */
export function toPayPal(amount: Amount, currency: string): JsonObject | null {
  const value = whole.includes(currency) ? withoutDecimals(amount) : amount
  return value === null || !chargeable.includes(currency) ? null : { currency_code: currency, value }
}

/** An amount in an answer; null if it is not an amount of a known currency. */
export function readSum(sum: unknown): Sum | null {
  const { value, currency_code: currency } = isObject(sum) ? sum : {}
  return whole.includes(String(currency)) ? sumOf(withoutDecimals(value), currency) : sumOf(value, currency)
}
