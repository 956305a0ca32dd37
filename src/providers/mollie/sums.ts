import { currencies } from '../../domain/currency.ts'
import { isObject } from '../answer.ts'
import { type Sum, sumOf } from '../sum.ts'

/**
 * The currencies that Mollie takes payments in. Mollie's amounts have the decimals of ISO 4217, as Florin's
 * do.
 */
const taken = [
  ...'AED AUD BRL CAD CHF CZK DKK EUR GBP HKD HUF ILS ISK JPY'.split(' '),
  ...'MXN MYR NOK NZD PHP PLN RON SEK SGD THB TWD USD ZAR'.split(' '),
]

/** The currencies of orders that can be charged. */
export const chargeable: string[] = currencies.filter(currency => taken.includes(currency))

/** An amount in an answer; null if it is not an amount of a known currency. */
export const readSum = (sum: unknown): Sum | null => (isObject(sum) ? sumOf(sum.value, sum.currency) : null)
