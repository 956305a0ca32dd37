import { currencies, currencyDecimals } from '../../domain/currency.ts'
import { type Amount, fromUnits, toUnits } from '../../domain/money.ts'

/** The currencies that have no smaller unit at Stripe. */
const zeroDecimal = 'BIF CLP DJF GNF JPY KMF KRW MGA PYG RWF VND VUV XAF XOF XPF'.split(' ')
/** The currencies with three decimals. Stripe requires that the last digit is 0. */
const threeDecimal = 'BHD JOD KWD OMR TND'.split(' ')
/** The currencies in which Stripe takes no charges. */
const refused = 'CUP ERN IQD IRR KPW LYD SDG SSP SYP VED VES'.split(' ')

/** The currencies of orders that can be charged. */
export const chargeable: string[] = currencies.filter(currency => !refused.includes(currency))

/**
 * The least amounts that Stripe lists. It applies the one of the currency into which the account converts a
 * charge, which Florin does not know: a charge in another listed currency may need a little more.
 */
export const minimums: Readonly<Record<string, Amount>> = {
  ...{ AED: '2.00', ARS: '0.50', AUD: '0.50', BRL: '0.50', CAD: '0.50', CHF: '0.50', COP: '0.50' },
  ...{ CZK: '15.00', DKK: '2.50', EUR: '0.50', GBP: '0.30', HKD: '4.00', HUF: '175.00', IDR: '0.50' },
  ...{ ILS: '0.50', INR: '0.50', JPY: '50', KRW: '50', MXN: '10.00', MYR: '2.00', NOK: '3.00' },
  ...{ NZD: '0.50', PHP: '0.50', PLN: '2.00', RON: '2.00', RUB: '0.50', SEK: '3.00', SGD: '0.50' },
  ...{ THB: '10.00', USD: '0.50', ZAR: '0.50' },
}

/**
 * The decimals of a currency at Stripe. They differ from ISO 4217 for MGA, and for ISK and UGX, whose two
 * decimals at Stripe are always 0.
 */
function decimalsOf(currency: string): number {
  if (zeroDecimal.includes(currency)) return 0
  return threeDecimal.includes(currency) ? 3 : 2
}

/** An amount in Stripe's units; null if it cannot be charged exactly. */
export function toStripe(amount: Amount, currency: string): string | null {
  if (!chargeable.includes(currency)) return null
  const decimals = decimalsOf(currency)
  const exact = amount.includes('.') ? amount.replace(/0+$/, '').replace(/\.$/, '') : amount
  const units = toUnits(exact, decimals)
  if (units === null || (decimals === 3 && units % 10n !== 0n)) return null
  return units.toString()
}

/**
 * An amount in an answer, with the decimals of its currency; null if it is not an amount of a known currency.
 */
export function fromStripe(units: unknown, currency: unknown): { amount: Amount; currency: string } | null {
  if (typeof units !== 'number' || !Number.isSafeInteger(units) || units < 0) return null
  const code = typeof currency === 'string' ? currency.toUpperCase() : ''
  const own = currencyDecimals(code)
  if (own === undefined || !chargeable.includes(code)) return null
  const theirs = decimalsOf(code)
  const exact = own >= theirs ? BigInt(units) * 10n ** BigInt(own - theirs) : whole(units, theirs - own)
  return exact === null ? null : { amount: fromUnits(exact, own), currency: code }
}

/** Removes digits from the end without rounding; null if one of them is not 0. */
function whole(units: number, digits: number): bigint | null {
  const step = 10n ** BigInt(digits)
  return BigInt(units) % step === 0n ? BigInt(units) / step : null
}
