import { currencies } from '../../domain/currency.ts'
import type { Amount } from '../../domain/money.ts'
import { isObject, type JsonObject } from '../answer.ts'
import { type Sum, sumOf, withoutDecimals } from '../sum.ts'

/** The currencies that PayPal takes payments in from accounts of most countries. */
const taken = [
  ...'AUD BRL CAD CHF CZK DKK EUR GBP HKD HUF ILS JPY'.split(' '),
  ...'MXN MYR NOK NZD PHP PLN SEK SGD THB TWD USD'.split(' '),
]
/** PayPal takes whole amounts of these only. */
const whole = ['HUF', 'JPY', 'TWD']

/** The currencies of orders that can be charged. */
export const chargeable: string[] = currencies.filter(currency => taken.includes(currency))

/** An amount as PayPal takes it; null where it cannot be charged exactly. */
export function toPayPal(amount: Amount, currency: string): JsonObject | null {
  const value = whole.includes(currency) ? withoutDecimals(amount) : amount
  return value === null || !chargeable.includes(currency) ? null : { currency_code: currency, value }
}

/** An amount of an answer; null if it is no amount of a known currency. */
export function readSum(sum: unknown): Sum | null {
  const { value, currency_code: currency } = isObject(sum) ? sum : {}
  return whole.includes(String(currency)) ? sumOf(withoutDecimals(value), currency) : sumOf(value, currency)
}
