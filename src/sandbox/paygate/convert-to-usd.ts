import { fromUnits, roundHalfUp, toUnits } from '../../domain/money.ts'

const list =
  'USD 1, EUR 1.0867, GBP 1.2914, CAD 0.7186, AUD 0.6306, NZD 0.5721, CHF 1.1321, SEK 0.0993, NOK 0.0944, ' +
  'DKK 0.1457, PLN 0.2596, CZK 0.04338, HUF 0.002724, RON 0.2183, BGN 0.5556, UAH 0.02409, TRY 0.02631, ' +
  'RUB 0.01176, INR 0.01164, LKR 0.003378, CNY 0.1379, HKD 0.1287, TWD 0.0303, JPY 0.00667, KRW 0.00069, ' +
  'SGD 0.7486, MYR 0.2251, THB 0.02964, IDR 0.0000603, PHP 0.01744, BRL 0.1742, MXN 0.04926, ZAR 0.0546, ' +
  'NGN 0.00065, UGX 0.000273, ILS 0.2731, AED 0.2723, BHD 2.6525, KWD 3.2462, JOD 1.4104, OMR 2.5974, ' +
  'TND 0.3226'

/** Value of one unit of each currency in US dollars. */
const rates = new Map(list.split(', ').map(pair => pair.split(' ') as [currency: string, rate: string]))

const PLACES = 8
const CENTS = 2

interface Conversion {
  dollars: string
  rate: string
}

/** An amount in US dollars, to the cent; null for an invalid amount or a currency without a rate. */
export function toDollars(amount: string, currency: string): Conversion | null {
  const rate = rates.get(currency)
  const units = toUnits(amount, PLACES)
  if (rate === undefined || units === null) return null
  const product = units * toUnits(rate, PLACES)!
  return { dollars: fromUnits(roundHalfUp(product, 10n ** BigInt(2 * PLACES - CENTS)), CENTS), rate }
}
